import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../support/temporary.ts';

export const root = join(import.meta.dirname, '../../..');

/** The folder of another project, for the tests of the surrounding `describe`. */
export interface Outside {
  readonly place: (...names: readonly string[]) => string;
  /** Writes a file with its folders. @returns its path */
  readonly write: (name: string, text: string) => string;
}

/** @param hasCopy whether its package `portico` is a second copy, with classes of its own, instead of this clone */
export const outsideProject = ({ hasCopy = false } = {}): Outside => {
  const place = temporaryFolder();
  const write = (name: string, text: string): string => {
    mkdirSync(dirname(place(name)), { recursive: true });
    writeFileSync(place(name), text);
    return place(name);
  };
  before(() => {
    write('package.json', '{ "type": "module" }');
    mkdirSync(place('node_modules'));
    // Linked, because Node strips no types from files whose real path is inside node_modules.
    symlinkSync(hasCopy ? place('copy') : root, place('node_modules/portico'));
    if (!hasCopy) return;
    for (const name of ['domain', 'application', 'adapters', 'package.json']) {
      cpSync(join(root, name), place('copy', name), { recursive: true });
    }
  });
  return { place, write };
};
