import type { Database, Statement as Prepared } from 'better-sqlite3';
import type { Value } from '../schema/entities/table.ts';
import type { Statement } from '../sql/session.ts';
import { explain } from './errors.ts';

/**
 * One connection as the driver has it: whatever is asked has been answered when the call returns. What it throws is what a
 * session's promises are rejected with, but for `begin`.
 */
export class Connection {
  readonly #database: Database;
  readonly #known = new Map<Statement, Prepared>();

  constructor(database: Database) {
    this.#database = database;
  }

  ask<Row>(statement: Statement, values: readonly Value[]): readonly Row[] {
    try {
      return this.#prepared(statement).all(values) as Row[];
    } catch (error) {
      throw explain(error);
    }
  }

  /** @returns how many rows it changed */
  change(statement: Statement, values: readonly Value[]): number {
    try {
      return this.#prepared(statement).run(values).changes;
    } catch (error) {
      throw explain(error);
    }
  }

  /** SQLite may have undone a transaction by itself, as it does when the disk is full. */
  get isInTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /** @throws the driver's own error, which may be that another process is writing */
  begin(): void {
    this.#prepared(begin).run();
  }

  commit(): void {
    this.change(commit, []);
  }

  rollBack(): void {
    try {
      if (this.isInTransaction) this.change(rollBack, []);
    } catch {
      // Why the work failed says more than why it could not be undone; the next `begin` fails in its turn.
    }
  }

  /** What follows, outside of a transaction, waits for the disk or does not. */
  waitForDisk(does: boolean): void {
    try {
      this.#database.pragma(`synchronous = ${does ? 'full' : 'normal'}`);
    } catch (error) {
      throw explain(error);
    }
  }

  #prepared(statement: Statement): Prepared {
    const known = this.#known.get(statement);
    if (known !== undefined) return known;
    const prepared = this.#database.prepare(statement.text.replaceAll(/\$\d+/g, '?'));
    this.#known.set(statement, prepared);
    return prepared;
  }
}

const begin: Statement = { name: 'begin', text: 'begin immediate' };
const commit: Statement = { name: 'commit', text: 'commit' };
const rollBack: Statement = { name: 'roll_back', text: 'rollback' };
