import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { guardFileIdentity } from '#adapters/persistence/sqlite/files/file-identity.ts';
import { temporaryDatabases } from '#test/support/temporary.ts';

describe('The guard of the identity of SQLite files', () => {
  const inFolder = temporaryDatabases();
  let count = 0;
  let place: (name: string) => string;

  beforeEach(() => {
    count += 1;
    mkdirSync(inFolder(`${count}`));
    place = (name) => inFolder(`${count}`, name);
    for (const name of ['shop.db', 'shop.db-wal', 'other.db']) writeFileSync(place(name), name);
  });

  /** A guard that has found the files unchanged, twice. */
  const opened = (file = place('shop.db')) => {
    const files = guardFileIdentity(file);
    files.checkNow();
    files.checkNow();
    return files;
  };

  const changes: readonly (readonly [string, () => void])[] = [
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
  for (const [what, change] of changes) {
    it(`notices at once that they are ${what}`, () => {
      const files = opened();
      change();
      expect(files.checkNow).to.throw('The database is unavailable.');
      expect(files.checkNow, 'again').to.throw();
      expect(files.check).to.throw();
    });
  }

  it('accepts that other files appear and disappear in their folder', () => {
    const files = opened();
    writeFileSync(place('backup.db'), 'beside it');
    files.checkNow();
    rmSync(place('other.db'));
    files.checkNow();
    files.check();
  });

  it('notices that they are replaced right after another file has appeared in their folder', () => {
    const files = opened();
    writeFileSync(place('backup.db'), 'beside it');
    files.checkNow();
    renameSync(place('other.db'), place('shop.db'));
    expect(files.checkNow).to.throw();
  });

  it('notices that they are replaced where a symbolic link leads to them from another folder', () => {
    mkdirSync(inFolder(`${count}-links`));
    const link = inFolder(`${count}-links`, 'link.db');
    symlinkSync(place('shop.db'), link);
    const files = opened(link);
    renameSync(place('other.db'), place('shop.db'));
    expect(files.checkNow).to.throw();
  });

  it('is unavailable when their folder has become a file', () => {
    const files = opened();
    rmSync(inFolder(`${count}`), { recursive: true });
    writeFileSync(inFolder(`${count}`), 'no folder');
    expect(files.checkNow).to.throw('The database is unavailable.');
  });

  it('accepts the original files again once they are put back', () => {
    const files = opened();
    linkSync(place('shop.db'), place('kept.db'));
    rmSync(place('shop.db'));
    expect(files.checkNow).to.throw();
    renameSync(place('kept.db'), place('shop.db'));
    files.checkNow();
  });
});
