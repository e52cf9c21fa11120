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
  /** Read-only for every user. */
  readonly tree: string;
  /** The folder that the image's user may write to. */
  readonly data: string;
  remove(): void;
}

/**
 * The content of the image without Docker: the sources of its COPY instructions, and the production packages.
 * @param besides folders of further packages
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
  // The image's user may not be allowed to read the folder of Node on this machine.
  link(process.execPath, join(folder, 'node'));
};

/** Links a package without those nested in it, which have their own entries in the lockfile. */
const linkTree = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') linkTree(source, target);
    } else link(source, target);
  }
};

/** A hard link is faster than a copy; it works on one disk only. */
const link = (from: string, to: string): void => {
  mkdirSync(dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
};

/** Makes its folders read-only for every user. */
const lock = (folder: string, mode = 0o555): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) lock(join(folder, entry.name), mode);
  }
  chmodSync(folder, mode);
};
