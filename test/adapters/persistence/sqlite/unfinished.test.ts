import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { removeAbandoned } from '#adapters/persistence/sqlite/files/unfinished.ts';
import { temporaryFolder } from '#test/support/temporary.ts';

const idOfAnEndedProcess = (): number => spawnSync(process.execPath, ['--version']).pid;

describe('Unfinished copies of killed backups', () => {
  const inFolder = temporaryFolder();
  const put = (...names: readonly string[]): void => {
    for (const name of names) writeFileSync(inFolder(name), 'x');
  };
  const left = (): readonly string[] => readdirSync(inFolder()).sort();

  it('are removed with their journals, also those of another backup in the folder', () => {
    const [one, two] = [idOfAnEndedProcess(), idOfAnEndedProcess()];
    put(`a.db.${one}.unfinished`, `a.db.${one}.unfinished-journal`, `2026-11-25.db.${two}.unfinished`);
    put(`b.db.${two}.unfinished-wal`, `c.db.${process.pid}.unfinished`);
    removeAbandoned(inFolder());
    expect(left()).to.deep.equal([]);
  });

  it('stay while their process runs, and so does everything else', () => {
    const ended = idOfAnEndedProcess();
    const names = [
      `a.db.${process.ppid}.unfinished`,
      'a.db',
      'a.db.unfinished',
      `a.db.${ended}`,
      `a.db.${ended}.unfinished.txt`,
      `.${ended}.unfinished-`,
    ].sort();
    put(...names);
    removeAbandoned(inFolder());
    expect(left()).to.deep.equal(names);
  });

  it('stay while a process of another container writes them, whose id says nothing here', () => {
    const name = `locked.db.${idOfAnEndedProcess()}.unfinished`;
    const writer = new BetterSqlite3(inFolder(name));
    writer.exec('begin exclusive; create table a (b)');
    removeAbandoned(inFolder());
    expect(left()).to.include(name);
    writer.exec('commit');
    writer.close();
    removeAbandoned(inFolder());
    expect(left()).not.to.include(name);
  });

  it('are no reason for an error when the folder does not exist', () => {
    removeAbandoned(inFolder('nowhere'));
  });
});
