import type { IdempotencyRecord, IdempotencyStore } from '#application/ports/idempotency.ts';
import type { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import { type IdempotencyKeyRow, idempotencyKeys } from '../schema/entities/idempotency-key.ts';
import type { Dialect, PurgeIdempotencyKeys } from './dialect.ts';
import type { SqlSession, Statement, TableShape } from './session.ts';
import { placeholders } from './statements.ts';

const { name, columns, toRow, fromRow } = idempotencyKeys;
const changing = columns.slice(2);
const select = `select ${columns.join(', ')} from ${name}`;
const to: TableShape = { name, columns, keyLength: 2, hasVersions: false };
const place = 'user_id = $1 and key = $2';

const never = '9999-12-31T23:59:59.999Z' as Instant;

export type IdempotencyKeyStatements = Readonly<
  Record<'find' | 'hold' | 'insert' | 'update' | 'remove' | 'unsettled', Statement>
>;

export const idempotencyKeyStatements = (dialect: Dialect): IdempotencyKeyStatements => ({
  find: {
    name: `${name}_find`,
    text: `${select} where ${place}`,
    operation: { kind: 'find', table: to },
  },
  hold: {
    name: `${name}_hold`,
    text: `${select} where ${place}${dialect.forUpdate}`,
    operation: { kind: 'hold', table: to },
  },
  insert: {
    name: `${name}_insert`,
    text: `insert into ${name} (${columns.join(', ')}) values (${placeholders(columns.length)})`,
    operation: { kind: 'insert', table: to },
  },
  update: {
    name: `${name}_update`,
    text:
      `update ${name} set ${changing.map((column, index) => `${column} = $${index + 1}`).join(', ')} ` +
      `where user_id = $${changing.length + 1} and key = $${changing.length + 2}`,
    operation: { kind: 'update', table: to },
  },
  remove: {
    name: `${name}_remove`,
    text: `delete from ${name} where ${place}`,
    operation: { kind: 'remove', table: to },
  },
  unsettled: {
    name: `${name}_unsettled`,
    text:
      `${select} where lease_until is not null and (created_at <= $1 or created_at > $2) ` +
      'and (lease_until <= $3 or lease_until > $4) order by lease_until limit $5',
  },
});

/** The keys over one session. That a key is unique is what makes the second of two adders lose the race. */
export class SqlIdempotencyKeys implements IdempotencyStore {
  readonly #session: SqlSession;
  readonly #statements: IdempotencyKeyStatements;
  readonly #forget: PurgeIdempotencyKeys;

  constructor(session: SqlSession, statements: IdempotencyKeyStatements, forget: PurgeIdempotencyKeys) {
    this.#session = session;
    this.#statements = statements;
    this.#forget = forget;
  }

  find(userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    return this.#get(this.#statements.find, userId, key);
  }

  lock(userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    return this.#get(this.#statements.hold, userId, key);
  }

  async add(remembered: IdempotencyRecord): Promise<void> {
    const row = toRow(remembered);
    const values = columns.map((column) => row[column]);
    await this.#session.execute(this.#statements.insert, values);
  }

  async save(remembered: IdempotencyRecord): Promise<void> {
    const row = toRow(remembered);
    const values = [...changing.map((column) => row[column]), row.user_id, row.key];
    await this.#session.execute(this.#statements.update, values, 1);
  }

  async remove(userId: UserId, key: string): Promise<void> {
    await this.#session.execute(this.#statements.remove, [userId, key]);
  }

  deleteExpired(createdBefore: Instant): Promise<boolean> {
    return this.#forget(this.#session, createdBefore);
  }

  async findStale(
    createdBefore: Instant,
    leaseBefore: Instant,
    limit: number,
    farthest = never,
  ): Promise<IdempotencyRecord[]> {
    const values = [createdBefore, farthest, leaseBefore, farthest, limit];
    const rows = await this.#session.query<IdempotencyKeyRow>(this.#statements.unsettled, values);
    return rows.map(fromRow);
  }

  async #get(statement: Statement, userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    const [row] = await this.#session.query<IdempotencyKeyRow>(statement, [userId, key]);
    return row && fromRow(row);
  }
}
