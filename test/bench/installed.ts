import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sumOf } from './statistics.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Locked {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
}

/** What `npm ci --omit=dev` installs here: how many packages, and how much room they take, in MB. */
export const installed = (): { readonly packages: number; readonly size: number } => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Locked;
  const folders = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    .map(([path]) => join(root, path))
    .filter(isThere);
  return { packages: folders.length, size: sumOf(folders.map(sizeOf)) / 1e6 };
};

/** What is for other machines is not. */
const isThere = (folder: string): boolean => lstatSync(folder, { throwIfNoEntry: false }) !== undefined;

/** In bytes, without the packages in it, which are counted by themselves. */
const sizeOf = (folder: string): number =>
  sumOf(
    readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => name !== 'node_modules')
      .map((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? sizeOf(path) : lstatSync(path).size;
      }),
  );
