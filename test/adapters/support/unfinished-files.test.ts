import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect } from 'chai';
import { backupSqlite } from '#adapters/persistence/sqlite/files/backup.ts';
import { removeLeftovers, unfinishedName } from '#adapters/support/unfinished-files.ts';
import { runHere } from '../../bootstrap/support/portico.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** No process has this number: systems give none beyond 2 ** 22. */
const dead = 2 ** 31 - 1;

describe('What a killed process has left unfinished', () => {
  const place = temporaryFolder();
  const target = (): string => place('folder', 'shop');
  const names = (): readonly string[] => readdirSync(place('folder')).toSorted();
  const have = (...files: readonly string[]): void => {
    rmSync(place('folder'), { recursive: true, force: true });
    mkdirSync(place('folder'), { recursive: true });
    for (const file of files) writeFileSync(place('folder', file), '');
  };

  it('goes with the files of SQLite beside it, also when only those are left', async () => {
    have(
      `a.${dead}.unfinished`,
      `a.${dead}.unfinished-wal`,
      `a.${dead}.unfinished-shm`,
      `b.${dead}.unfinished-journal`,
    );
    await removeLeftovers(target(), { hasPart: false });
    expect(names()).to.deep.equal([]);
  });

  it('goes when it has the number of this process, as in each new container', async () => {
    have(`shop.${process.pid}.unfinished`, `shop.${process.pid}-0a1b2c3d.unfinished`);
    await removeLeftovers(target(), { hasPart: false });
    await removeLeftovers(target(), { hasPart: true });
    expect(names()).to.deep.equal([]);
    expect(unfinishedName('shop')).to.equal(`shop.${process.pid}.unfinished`);
  });

  it('stays while a process with its number runs, for a day', async () => {
    have(`new.${process.ppid}.unfinished`, `old.${process.ppid}.unfinished`);
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1_000);
    utimesSync(place('folder', `old.${process.ppid}.unfinished`), yesterday, yesterday);
    await removeLeftovers(target(), { hasPart: false });
    expect(names()).to.deep.equal([`new.${process.ppid}.unfinished`]);
  });

  it('is nothing with another name', async () => {
    const others = [
      `${dead}.unfinished`,
      `shop.${dead}`,
      `shop.${dead}-0a1b2c3d.unfinished`,
      `shop.${dead}.unfinished.gz`,
      'shop.unfinished',
      'shop.0.unfinished',
      'shop.db',
      'shop.db-wal',
    ];
    have(...others);
    await removeLeftovers(target(), { hasPart: false });
    expect(names()).to.have.members(others);
  });

  it('stays when another process has locked it, though its number is from another container', async () => {
    have();
    const from = place('from.db');
    await runHere(['seed', '--products', '3', '--quiet'], { DATABASE_URL: `sqlite:${from}` });
    const leftover = `monday.${dead}.unfinished`;
    const running = new BetterSqlite3(place('folder', leftover));
    running.exec('create table copied (id); begin exclusive; insert into copied values (1)');
    const backup = (name: string) =>
      backupSqlite({
        from,
        to: place('folder', name),
        signal: new AbortController().signal,
        show: () => undefined,
      });
    await backup('tuesday');
    expect(names()).to.include(leftover);
    running.close();
    await backup('wednesday');
    expect(names()).to.deep.equal(['tuesday', 'wednesday']);
  });
});
