import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sumOf } from '../../lab/statistics.ts';
import { productionPackages } from '../../support/production-packages.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Block size of usual file systems in bytes. Files occupy whole blocks, a folder at least one. */
const block = 4_096;

/** Packages of `npm ci --omit=dev`: their number, and their size in MB as `du -sm` counts. */
export const installed = (): { readonly packages: number; readonly size: number } => {
  const folders = productionPackages().map((path) => join(root, path));
  return { packages: folders.length, size: sumOf(folders.map(roomOf)) / 2 ** 20 };
};

/** Size in bytes, without nested packages, which are counted apart. */
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
