import BetterSqlite3 from 'better-sqlite3';
import type { ReadEvent } from '../../lab/judge/events/evidence.ts';

/** The file of a reader: what it has read, in the order in which it did, and where it goes on. A kill loses neither without the other. */
export const openReaderFile = (path: string) => {
  const database = new BetterSqlite3(path, { timeout: 10_000 });
  database.pragma('journal_mode = wal');
  database.exec(`
    create table if not exists events (arrival integer primary key autoincrement, sequence integer, id text);
    create table if not exists position (one integer primary key check (one = 1), link text);
    create table if not exists problems (text text);
  `);
  const add = database.prepare('insert into events (sequence, id) values (?, ?)');
  const move = database.prepare('insert or replace into position (one, link) values (1, ?)');
  const find = database.prepare<[], { link: string }>('select link from position');
  const keep = database.transaction((events: readonly ReadEvent[], link: string) => {
    for (const { sequence, id } of events) add.run(sequence, id);
    move.run(link);
  });
  return {
    keep: (events: readonly ReadEvent[], link: string): void => keep(events, link),
    position: (): string | undefined => find.get()?.link,
    note: (problem: string) => database.prepare('insert into problems values (?)').run(problem),
    events: (): readonly ReadEvent[] =>
      database.prepare<[], ReadEvent>('select sequence, id from events order by arrival').all(),
    problems: (): readonly string[] =>
      database
        .prepare<[], { text: string }>('select text from problems')
        .all()
        .map(({ text }) => text),
    close: () => database.close(),
  };
};
