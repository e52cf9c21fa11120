import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { sameFiles } from '#adapters/persistence/sqlite/files/file-identity.ts';
import { temporaryFolder } from '#test/support/temporary.ts';

/** Longer than a folder takes here to show a change by other times, in milliseconds. */
const coarse = 50;

describe('Files of SQLite that have been opened', () => {
  const inFolder = temporaryFolder();
  let count = 0;
  let place: (name: string) => string;

  beforeEach(() => {
    count += 1;
    mkdirSync(inFolder(`${count}`));
    place = (name) => inFolder(`${count}`, name);
    for (const name of ['shop.db', 'shop.db-wal', 'other.db']) writeFileSync(place(name), name);
  });

  /** Looked at when nothing has happened for a while, and a second time. */
  const opened = async (file = place('shop.db')) => {
    const files = sameFiles(file, coarse);
    await pause(2 * coarse);
    files.look();
    files.look();
    return files;
  };

  const whatever: readonly (readonly [string, () => void])[] = [
    ['removed', () => rmSync(place('shop.db'))],
    ['replaced by a renaming', () => renameSync(place('other.db'), place('shop.db'))],
    ['renamed', () => renameSync(place('shop.db'), place('before.db'))],
    ['without their log', () => rmSync(place('shop.db-wal'))],
    ['removed with their folder', () => rmSync(inFolder(`${count}`), { recursive: true })],
    [
      'in a folder that another has replaced',
      () => {
        renameSync(inFolder(`${count}`), inFolder(`${count}-before`));
        mkdirSync(inFolder(`${count}`));
        writeFileSync(place('shop.db'), 'another');
      },
    ],
  ];
  for (const [what, happen] of whatever) {
    it(`are noticed at once to be ${what}`, async () => {
      const files = await opened();
      happen();
      expect(files.look).to.throw('The store is away.');
      expect(files.look, 'again').to.throw();
      expect(files.require).to.throw();
    });
  }

  it('are the same whatever else comes and goes in their folder', async () => {
    const files = await opened();
    writeFileSync(place('backup.db'), 'beside it');
    files.look();
    rmSync(place('other.db'));
    files.look();
    files.require();
  });

  it('are noticed to be replaced in the moment after something else has come into their folder', async () => {
    const files = await opened();
    writeFileSync(place('backup.db'), 'beside it');
    files.look();
    renameSync(place('other.db'), place('shop.db'));
    expect(files.look).to.throw();
  });

  it('are noticed to be replaced where a link leads to them from another folder', async () => {
    mkdirSync(inFolder(`${count}-links`));
    const link = inFolder(`${count}-links`, 'link.db');
    symlinkSync(place('shop.db'), link);
    const files = await opened(link);
    renameSync(place('other.db'), place('shop.db'));
    expect(files.look).to.throw();
  });

  it('are away where a file has been for a while that was their folder', async () => {
    const files = await opened();
    rmSync(inFolder(`${count}`), { recursive: true });
    writeFileSync(inFolder(`${count}`), 'no folder');
    await pause(2 * coarse);
    expect(files.look).to.throw('The store is away.');
  });

  it('are those that have been put back', async () => {
    const files = await opened();
    linkSync(place('shop.db'), place('kept.db'));
    rmSync(place('shop.db'));
    expect(files.look).to.throw();
    renameSync(place('kept.db'), place('shop.db'));
    files.look();
  });
});
