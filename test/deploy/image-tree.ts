import { chmodSync, copyFileSync, cpSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copies } from './dockerfile.ts';
import { root, textOf } from './files.ts';

interface Locked {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}

/** What `npm ci --omit=dev` would install, by the lock file, as far as this machine has it. */
const packages = (): string[] => {
  const { packages }: Locked = JSON.parse(textOf('package-lock.json'));
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path]) => path);
};

/** As near to the image as one comes without Docker: what its COPY instructions name, and the packages for production. */
export const makeTree = (folder: string): void => {
  for (const { sources, to } of copies) {
    for (const source of sources) {
      const target = to === './' ? join(folder, source) : join(folder, to);
      cpSync(join(root, source), target, { recursive: true });
    }
  }
  for (const path of packages()) linkTree(join(root, path), join(folder, path));
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
export const lock = (folder: string, mode = 0o555): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) lock(join(folder, entry.name), mode);
  }
  chmodSync(folder, mode);
};
