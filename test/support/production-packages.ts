import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Locked {
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const packages: Readonly<Record<string, Locked>> = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
).packages;

/** Folders that `npm ci --omit=dev` installs on this platform, by the lock file. */
export const productionPackages = (): string[] =>
  Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev && existsSync(join(root, path)))
    .map(([path]) => path);

/** Folders of a package and of its dependencies. */
export const withWhatItNeeds = (name: string): string[] => {
  const path = `node_modules/${name}`;
  const { dependencies, peerDependencies } = packages[path] ?? {};
  return [path, ...Object.keys({ ...dependencies, ...peerDependencies }).flatMap(withWhatItNeeds)];
};
