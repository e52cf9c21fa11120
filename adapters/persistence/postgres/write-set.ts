import type { Row, Value } from '../schema/entities/table.ts';
import type { BoundStatement, SqlTable } from '../sql/sql-table.ts';

/** A row before and after a unit of work has changed it. */
export interface Change {
  readonly table: string;
  /** As the unit of work has read it last; undefined when it was inserted, or changed unread. */
  readonly before: Row | undefined;
  /** Undefined when it was removed. */
  readonly after: Row | undefined;
}

/**
 * The write set of a unit of work: writes wait here for the commit, or for a read that must see them. Their statements keep the
 * order of the calls.
 */
export class WriteSet {
  /** Every change so far, in order. */
  readonly changes: Change[] = [];
  /** The rows as they were read last. */
  readonly #rows = new Map<string, Row>();
  readonly #tables = new Set<SqlTable>();
  #pending: BoundStatement[] = [];
  #hasOnlyInserts = true;

  /** Notes a row that was read, so that a change of it is known with the row before. */
  read(table: SqlTable, row: Row): void {
    this.#rows.set(rowKey(table, keyOf(table, row)), row);
  }

  /** Adds rows that a statement inserts. */
  insert(table: SqlTable, rows: readonly Row[], statement: BoundStatement): void {
    this.#put(table, rows, statement);
  }

  /** Adds rows that a statement replaces. */
  update(table: SqlTable, rows: readonly Row[], statement: BoundStatement): void {
    this.#hasOnlyInserts = false;
    this.#put(table, rows, statement);
  }

  #put(table: SqlTable, rows: readonly Row[], statement: BoundStatement): void {
    for (const after of rows) {
      const key = rowKey(table, keyOf(table, after));
      this.changes.push({ table: table.name, before: this.#rows.get(key), after });
      this.#rows.set(key, after);
    }
    this.#add(table, statement);
  }

  remove(table: SqlTable, key: readonly Value[], statement: BoundStatement): void {
    this.#hasOnlyInserts = false;
    const name = rowKey(table, key);
    this.changes.push({ table: table.name, before: this.#rows.get(name), after: undefined });
    this.#rows.delete(name);
    this.#add(table, statement);
  }

  get hasOnlyInserts(): boolean {
    return this.#hasOnlyInserts;
  }

  /** Whether writes to the table are pending. */
  isPending(table: SqlTable): boolean {
    return this.#tables.has(table);
  }

  /** The pending statements, which count as sent from now on. */
  flush(): readonly BoundStatement[] {
    const statements = this.#pending;
    this.#pending = [];
    this.#tables.clear();
    return statements;
  }

  #add(table: SqlTable, statement: BoundStatement): void {
    this.#tables.add(table);
    this.#pending.push(statement);
  }
}

const keyOf = ({ key }: SqlTable, row: Row): readonly Value[] => key.map((column) => row[column] ?? null);

/** No key holds a NUL: PostgreSQL stores none in a text. */
const rowKey = ({ name }: SqlTable, key: readonly Value[]): string => `${name}\0${key.join('\0')}`;
