import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { productionPackages } from '../support/production-packages.ts';
import { copies } from './dockerfile.ts';
import { root } from './files.ts';

export interface Tree {
  /** Nobody may write into it. */
  readonly tree: string;
  /** Where the image's user may. */
  readonly data: string;
  remove(): void;
}

/**
 * As near to the image as one comes without Docker: what its COPY instructions name, and the packages for production.
 * @param besides folders of packages that are there, too
 */
export const makeTree = (besides: readonly string[] = []): Tree => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-image-'));
  chmodSync(folder, 0o755);
  const [tree, data] = [join(folder, 'portico'), join(folder, 'data')];
  fill(tree, besides);
  lock(tree);
  mkdirSync(data, { mode: 0o750 });
  if (process.getuid?.() === 0) chownSync(data, 10_001, 10_001);
  const remove = () => {
    lock(tree, 0o755);
    rmSync(folder, { recursive: true, force: true });
  };
  return { tree, data, remove };
};

const fill = (folder: string, besides: readonly string[]): void => {
  for (const { sources, to } of copies) {
    for (const source of sources) {
      const target = to === './' ? join(folder, source) : join(folder, to);
      cpSync(join(root, source), target, { recursive: true });
    }
  }
  for (const path of [...productionPackages(), ...besides]) linkTree(join(root, path), join(folder, path));
  // It may have no right to enter where this machine has its own.
  link(process.execPath, join(folder, 'node'));
};

/** Without the packages within a package, which have lines of their own in the lock file. */
const linkTree = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') linkTree(source, target);
    } else link(source, target);
  }
};

/** A hundred megabytes are quicker linked than copied, where both are on one disk. */
const link = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
};

/** Takes from everybody the right to write into its folders. */
const lock = (folder: string, mode = 0o555): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) lock(join(folder, entry.name), mode);
  }
  chmodSync(folder, mode);
};
