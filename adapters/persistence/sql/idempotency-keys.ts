import type { IdempotencyRecord, IdempotencyStore, StaleQuery } from '#application/ports/idempotency.ts';
import { latestPlausibleExpiry } from '#application/ports/system.ts';
import { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import { type IdempotencyKeyRow, idempotencyKeys } from '../schema/entities/idempotency-key.ts';
import type { Dialect, PurgeIdempotencyKeys } from './dialect.ts';
import type { SqlSession, Statement, TableShape } from './session.ts';
import { placeholders } from './statements.ts';

const { name, columns, toRow, fromRow } = idempotencyKeys;
const settable = columns.slice(2);
const select = `select ${columns.join(', ')} from ${name}`;
const table: TableShape = { name, columns, keyLength: 2, hasVersions: false };
const byKey = 'user_id = $1 and key = $2';

export type IdempotencyKeyStatements = Readonly<
  Record<'find' | 'lock' | 'insert' | 'update' | 'remove' | 'findStale', Statement>
>;

export const idempotencyKeyStatements = (dialect: Dialect): IdempotencyKeyStatements => ({
  find: {
    name: `${name}_find`,
    text: `${select} where ${byKey}`,
    operation: { kind: 'find', table },
  },
  lock: {
    name: `${name}_hold`,
    text: `${select} where ${byKey}${dialect.forUpdate}`,
    operation: { kind: 'lock', table },
  },
  insert: {
    name: `${name}_insert`,
    text: `insert into ${name} (${columns.join(', ')}) values (${placeholders(columns.length)})`,
    operation: { kind: 'insert', table },
  },
  update: {
    name: `${name}_update`,
    text:
      `update ${name} set ${settable.map((column, index) => `${column} = $${index + 1}`).join(', ')} ` +
      `where user_id = $${settable.length + 1} and key = $${settable.length + 2}`,
    operation: { kind: 'update', table },
  },
  remove: {
    name: `${name}_remove`,
    text: `delete from ${name} where ${byKey}`,
    operation: { kind: 'remove', table },
  },
  findStale: {
    name: `${name}_unsettled`,
    text:
      `${select} where lease_until is not null and (created_at <= $1 or created_at > $2) ` +
      'and (lease_until <= $3 or lease_until > $4) order by lease_until limit $5',
  },
});

/**
 * Idempotency keys over one session. The primary key makes the second of two concurrent inserts throw a
 * ConcurrencyConflict.
 */
export class SqlIdempotencyKeys implements IdempotencyStore {
  readonly #session: SqlSession;
  readonly #statements: IdempotencyKeyStatements;
  readonly #purge: PurgeIdempotencyKeys;

  constructor(session: SqlSession, statements: IdempotencyKeyStatements, purge: PurgeIdempotencyKeys) {
    this.#session = session;
    this.#statements = statements;
    this.#purge = purge;
  }

  find(userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    return this.#findKey(this.#statements.find, userId, key);
  }

  lock(userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    return this.#findKey(this.#statements.lock, userId, key);
  }

  async add(record: IdempotencyRecord): Promise<void> {
    const row = toRow(record);
    const values = columns.map((column) => row[column]);
    await this.#session.execute(this.#statements.insert, values);
  }

  async save(record: IdempotencyRecord): Promise<void> {
    const row = toRow(record);
    const values = [...settable.map((column) => row[column]), row.user_id, row.key];
    await this.#session.execute(this.#statements.update, values, 1);
  }

  async remove(userId: UserId, key: string): Promise<void> {
    await this.#session.execute(this.#statements.remove, [userId, key]);
  }

  deleteExpired(createdBefore: Instant): Promise<boolean> {
    return this.#purge(this.#session, createdBefore);
  }

  async findStale({ createdBefore, now, leaseMs, limit }: StaleQuery): Promise<IdempotencyRecord[]> {
    const latest = latestPlausibleExpiry(Instant.plus(now, leaseMs));
    const values = [createdBefore, latest, now, latest, limit];
    const rows = await this.#session.query<IdempotencyKeyRow>(this.#statements.findStale, values);
    return rows.map(fromRow);
  }

  async #findKey(statement: Statement, userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    const [row] = await this.#session.query<IdempotencyKeyRow>(statement, [userId, key]);
    return row && fromRow(row);
  }
}
