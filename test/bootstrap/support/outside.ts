import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../support/temporary.ts';

const root = join(import.meta.dirname, '../../..');

/** The folder of another project, for the tests of the surrounding `describe`. This clone is its package `portico`. */
export interface Outside {
  readonly place: (...names: readonly string[]) => string;
  /** Writes a file with its folders. @returns its path */
  readonly write: (name: string, text: string) => string;
}

export const outsideProject = (): Outside => {
  const place = temporaryFolder();
  const write = (name: string, text: string): string => {
    mkdirSync(dirname(place(name)), { recursive: true });
    writeFileSync(place(name), text);
    return place(name);
  };
  before(() => {
    write('package.json', '{ "type": "module" }');
    write('node_modules/.keep', '');
    symlinkSync(root, place('node_modules/portico'));
  });
  return { place, write };
};
