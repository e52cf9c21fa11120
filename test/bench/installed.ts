import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { productionPackages } from '../support/production-packages.ts';
import { sumOf } from './statistics.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A file takes whole ones of these, and a folder one at the least, on the usual file systems. In bytes. */
const block = 4_096;

/** What `npm ci --omit=dev` installs here: how many packages, and how much room they take, in MB as `du -sm` counts them. */
export const installed = (): { readonly packages: number; readonly size: number } => {
  const folders = productionPackages().map((path) => join(root, path));
  return { packages: folders.length, size: sumOf(folders.map(roomOf)) / 2 ** 20 };
};

/** In bytes, without the packages in it, which are counted by themselves. */
const roomOf = (folder: string): number =>
  block +
  sumOf(
    readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => name !== 'node_modules')
      .map((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? roomOf(path) : Math.ceil(lstatSync(path).size / block) * block;
      }),
  );
