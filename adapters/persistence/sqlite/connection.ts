import type { Database, Statement as PreparedStatement } from 'better-sqlite3';
import type { Value } from '../schema/entities/table.ts';
import type { SqlSession } from '../sql/session.ts';
import type { Statement } from '../sql/sql-table.ts';
import { translateError } from './errors.ts';
import type { SqliteHealth } from './files/health.ts';

/**
 * One connection of the driver, with its prepared statements. Every call is synchronous, and every method but `begin` throws
 * the errors that a session promises.
 */
export class SqliteConnection {
  readonly #database: Database;
  readonly #statements = new Map<Statement, PreparedStatement>();
  readonly #health: SqliteHealth | undefined;
  #isDurable = true;

  constructor(database: Database, health?: SqliteHealth) {
    this.#database = database;
    this.#health = health;
  }

  query<Row>(statement: Statement, values: readonly Value[]): readonly Row[] {
    try {
      return this.#prepared(statement).all(values) as Row[];
    } catch (error) {
      this.#health?.failed(error);
      throw translateError(error);
    }
  }

  /** @returns how many rows it changed */
  execute(statement: Statement, values: readonly Value[]): number {
    try {
      return this.#prepared(statement).run(values).changes;
    } catch (error) {
      this.#health?.failed(error);
      throw translateError(error);
    }
  }

  /** SQLite rolls back a transaction by itself after some errors, such as a full disk. */
  get isInTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /**
   * @param isDurable whether its commit waits for the disk
   * @throws the driver's own error: SQLITE_BUSY means that another process is writing
   */
  begin(isDurable = true): void {
    // SQLite accepts the pragma only outside of a transaction.
    if (isDurable !== this.#isDurable)
      this.#database.pragma(`synchronous = ${isDurable ? 'full' : 'normal'}`);
    this.#isDurable = isDurable;
    try {
      this.#prepared(begin).run();
    } catch (error) {
      this.#health?.failed(error);
      throw error;
    }
  }

  commit(): void {
    this.execute(commit, []);
    this.#health?.committed();
  }

  /** Never throws, so that the error that caused the rollback is the one reported. A failure shows at the next `begin`. */
  rollback(): void {
    try {
      if (this.isInTransaction) this.execute(rollback, []);
    } catch {}
  }

  #prepared(statement: Statement): PreparedStatement {
    const known = this.#statements.get(statement);
    if (known !== undefined) return known;
    const prepared = this.#database.prepare(statement.text.replaceAll(/\$\d+/g, '?'));
    this.#statements.set(statement, prepared);
    return prepared;
  }
}

/* Written by hand: the builder has no statements that control a transaction. */
const begin: Statement = { name: 'begin', text: 'begin immediate' };
const commit: Statement = { name: 'commit', text: 'commit' };
const rollback: Statement = { name: 'roll_back', text: 'rollback' };

/** A session in which each statement commits by itself (autocommit). */
export const sqliteSession = (connection: SqliteConnection): SqlSession => ({
  query: async (statement, values) => connection.query(statement, values),
  execute: async (statement, values) => connection.execute(statement, values),
});
