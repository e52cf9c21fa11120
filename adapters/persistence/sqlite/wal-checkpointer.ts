import type { Database } from 'better-sqlite3';
import type { Statement } from '../sql/session.ts';
import { Connection } from './connection.ts';

/**
 * So many pages are appended to the log before they are written where they belong. Pages that have been written more than
 * once by then are written once, and the keys of requests, which come in no order, are spread over all pages of their index.
 * The log has 32 MB then.
 */
const usualLength = 8_000;

/** How long the log is, is asked behind every so many commits: where there is one at a time it takes as long as a statement. */
const commitsBetweenLooks = 8;

interface Log {
  readonly log: number;
  readonly checkpointed: number;
}

type Stage = 'filling' | 'full' | 'on its way to the disk' | 'on the disk';

/**
 * The connection that changes a file. What it appends to the log it also writes where that belongs, so that nobody waits
 * while all of that gets to the disk. SQLite waits for it only where it has written everything: so when the log is full all
 * but the last commit is written, and this process goes on while the system brings that to the disk. Then SQLite writes
 * the little that has come since, waits for that, and begins the log again. Nothing is owed to what is done here: until SQLite
 * has waited for the disk itself, all of it is still in the log.
 */
export class Writer extends Connection {
  readonly #reader: Connection;
  readonly #sync: () => Promise<void>;
  readonly #length: number;
  #stage: Stage = 'filling';
  #commits = 0;

  /**
   * @param reader another connection to the same file, which is in no transaction between two calls
   * @param sync resolves when what has been written to the file, without its log, is on the disk
   * @param length of the log, in pages, when it is full
   */
  constructor(database: Database, reader: Connection, sync: () => Promise<void>, length = usualLength) {
    super(database);
    this.#reader = reader;
    this.#sync = sync;
    this.#length = length;
  }

  override commit(): void {
    const stage = this.#stage;
    if (stage === 'full') this.#commitAndWriteOthers();
    else super.commit();
    if (stage === 'filling') this.#look();
    if (stage === 'on the disk') this.#writeAll();
  }

  #look(): void {
    this.#commits += 1;
    if (this.#commits % commitsBetweenLooks !== 0) return;
    const found = this.#try(measure);
    if (found === undefined || found.log < this.#length) return;
    if (found.log > found.checkpointed) this.#stage = 'full';
  }

  /** What somebody could still read as it was before this commit keeps SQLite from writing what is in it. */
  #commitAndWriteOthers(): void {
    this.#hold();
    try {
      super.commit();
      this.#try(write);
    } finally {
      this.#reader.rollBack();
    }
    this.#stage = 'on its way to the disk';
    const onTheDisk = (): void => {
      this.#stage = 'on the disk';
    };
    // When the disk has refused it, SQLite is told so, too, as soon as it waits for it.
    this.#sync().then(onTheDisk, onTheDisk);
  }

  /** Where somebody else still reads what is older, some is left, and it begins again. */
  #writeAll(): void {
    this.#try(write);
    this.#stage = 'filling';
  }

  #hold(): void {
    try {
      this.#reader.change(begin, []);
      this.#reader.ask(look, []);
    } catch {
      // Then all of it is written, and waited for.
    }
  }

  /** Whatever has been committed is safe in the log, so this may fail: it is tried again. */
  #try(statement: Statement): Log | undefined {
    try {
      return this.ask<Log>(statement, [])[0];
    } catch {
      return undefined;
    }
  }
}

const begin: Statement = { name: 'begin_reading', text: 'begin' };
const look: Statement = { name: 'look', text: 'select 1 from sqlite_schema limit 1' };
const measure: Statement = { name: 'measure_log', text: 'pragma wal_checkpoint(noop)' };
const write: Statement = { name: 'write_log', text: 'pragma wal_checkpoint(passive)' };
