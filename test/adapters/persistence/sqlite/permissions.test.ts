import { chmodSync, statSync, symlinkSync } from 'node:fs';
import { expect } from 'chai';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import { temporaryDatabases } from '#test/support/temporary.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('The file of a SQLite database', () => {
  const inFolder = temporaryDatabases();
  let files = 0;
  const aFile = (): string => {
    files += 1;
    return inFolder(`${files}.db`);
  };
  const allOf = (file: string): readonly string[] => [file, `${file}-wal`, `${file}-shm`];

  /** Runs with a umask that removes no permission. */
  const openly = async <T>(act: () => Promise<T>): Promise<T> => {
    const before = process.umask(0);
    try {
      return await act();
    } finally {
      process.umask(before);
    }
  };

  it('is readable by its owner only, with its WAL, in folders of the owner', async () => {
    const file = inFolder('new/folder/portico.db');
    const { close } = await openly(() => openSqlite({ file }));
    expect(allOf(file).map(modeOf)).to.deep.equal(['600', '600', '600']);
    expect([inFolder('new'), inFolder('new/folder')].map(modeOf)).to.deep.equal(['700', '700']);
    await close();
  });

  for (const [mode, after] of [
    [0o644, '600'],
    [0o604, '600'],
    [0o664, '660'],
    [0o666, '660'],
    [0o640, '640'],
    [0o600, '600'],
  ] as const) {
    it(`with the mode ${mode.toString(8)} has ${after} after a start`, async () => {
      const file = aFile();
      await (await openSqlite({ file })).close();
      chmodSync(file, mode);
      const { close } = await openly(() => openSqlite({ file }));
      expect(allOf(file).map(modeOf)).to.deep.equal([after, after, after]);
      await close();
    });
  }

  it('is created for its owner only where a link names it', async () => {
    const [link, file] = [aFile(), aFile()];
    symlinkSync(file, link);
    const { close } = await openly(() => openSqlite({ file: link }));
    expect(allOf(file).map(modeOf)).to.deep.equal(['600', '600', '600']);
    await close();
  });

  it('leaves an existing folder as it is', async () => {
    chmodSync(inFolder(), 0o755);
    await (await openSqlite({ file: aFile() })).close();
    expect(modeOf(inFolder())).to.equal('755');
  });
});
