import type {
  IdempotencyEntry,
  IdempotencyFilter,
  IdempotencyKeyId,
  IdempotencyRecord,
  IdempotencyStore,
  StaleQuery,
} from '#application/ports/idempotency.ts';
import { Page, type PageRequest } from '#application/ports/page.ts';
import { latestPlausibleExpiry } from '#application/ports/system.ts';
import { Instant } from '#domain/instant.ts';
import type { Id } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';
import {
  type IdempotencyEntryRow,
  type IdempotencyKeyRow,
  idempotencyKeys,
} from '../schema/entities/idempotency-key.ts';
import type { Row } from '../schema/entities/table.ts';
import { type Builder, compile, parameter } from './builder.ts';
import type { Dialect, PurgeIdempotencyKeys } from './dialect.ts';
import { compileIdempotencyPages, type IdempotencyPages } from './idempotency-pages.ts';
import type { TableSession } from './session.ts';
import type { CompiledStatement, SqlTable } from './sql-table.ts';
import { compileTable } from './statements.ts';

const { toRow, fromRow, toEntry } = idempotencyKeys;

/** How many ids one scan finds. Fewer are filled up, so that there is one statement. */
const idsPerScan = 8;

interface IdempotencyKeyTable extends SqlTable {
  readonly findStale: CompiledStatement;
  readonly findMentioning: CompiledStatement;
  readonly pages: IdempotencyPages;
}

export const compileIdempotencyKeys = (builder: Builder, dialect: Dialect): IdempotencyKeyTable => {
  const { name, columns } = idempotencyKeys;
  const findStale = builder
    .selectFrom(name)
    .select([...columns])
    .where('lease_until', 'is not', null)
    .where((is) =>
      is.or([
        is('created_at', '<=', parameter('created_before')),
        is('created_at', '>', parameter('latest_plausible')),
      ]),
    )
    .where((is) =>
      is.or([
        is('lease_until', '<=', parameter('now')),
        is('lease_until', '>', parameter('latest_plausible')),
      ]),
    )
    .orderBy('lease_until')
    .limit(parameter<number>('limit'));
  const places = Array.from({ length: idsPerScan }, (_, place) => place);
  const findMentioning = builder
    .selectFrom(name)
    .select([...columns])
    .where('lease_until', 'is', null)
    .where((is) =>
      is.or([
        ...places.map((place) => is('user_id', '=', parameter(`id_${place}`))),
        ...places.map((place) => is('answer', 'like', parameter(`pattern_${place}`))),
        is.and([
          is('request_id', 'is not', null),
          is.or(places.map((place) => is('path', 'like', parameter(`pattern_${place}`)))),
        ]),
      ]),
    )
    .limit(parameter<number>('limit'));
  const table = compileTable(builder, idempotencyKeys, dialect);
  const insert = dialect.insertIdempotencyKey?.(builder, table);
  return {
    ...table,
    insert: insert === undefined ? table.insert : compile(`${name}_insert`, insert),
    findStale: compile(`${name}_find_stale`, findStale),
    findMentioning: compile(`${name}_find_mentioning`, findMentioning),
    pages: compileIdempotencyPages(builder),
  };
};

/**
 * Idempotency keys over one session. The primary key makes the second of two concurrent inserts throw a
 * ConcurrencyConflict.
 */
export class SqlIdempotencyKeys implements IdempotencyStore {
  readonly #session: TableSession;
  readonly #table: IdempotencyKeyTable;
  readonly #purge: PurgeIdempotencyKeys;

  constructor(session: TableSession, table: IdempotencyKeyTable, purge: PurgeIdempotencyKeys) {
    this.#session = session;
    this.#table = table;
    this.#purge = purge;
  }

  async find(userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    return recordOf(await this.#session.find(this.#table, [userId, key]));
  }

  async lock(userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    return recordOf(await this.#session.lock(this.#table, [userId, key]));
  }

  add(record: IdempotencyRecord): Promise<void> {
    return this.#session.insert(this.#table, toRow(record));
  }

  save(record: IdempotencyRecord): Promise<void> {
    return this.#session.update(this.#table, toRow(record));
  }

  remove(userId: UserId, key: string): Promise<void> {
    return this.#session.remove(this.#table, [userId, key]);
  }

  deleteExpired(createdBefore: Instant): Promise<boolean> {
    return this.#purge(this.#session, createdBefore);
  }

  async findStale({ createdBefore, now, leaseMs, limit }: StaleQuery): Promise<IdempotencyRecord[]> {
    const latest = latestPlausibleExpiry(Instant.plus(now, leaseMs));
    const values = [createdBefore, latest, now, latest, limit];
    const rows = await this.#session.query<IdempotencyKeyRow>(this.#table.findStale, values);
    return rows.map(fromRow);
  }

  async findMentioning(ids: readonly Id[], limit: number): Promise<IdempotencyRecord[]> {
    const found: IdempotencyRecord[] = [];
    for (let first = 0; first < ids.length && found.length < limit; first += idsPerScan) {
      const few = ids.slice(first, first + idsPerScan);
      const some = [...few, ...Array.from({ length: idsPerScan - few.length }, () => ids[first] ?? '')];
      // An id has none of the wildcards of LIKE.
      const patterns = some.map((id) => `%${id}%`);
      const values = [...some, ...patterns, ...patterns, limit - found.length];
      const rows = await this.#session.query<IdempotencyKeyRow>(this.#table.findMentioning, values);
      found.push(...rows.map(fromRow));
    }
    return found;
  }

  async findById(id: IdempotencyKeyId): Promise<IdempotencyEntry | undefined> {
    const { statement, values } = this.#table.pages.findById(id);
    const [row] = await this.#session.query<IdempotencyEntryRow>(statement, values);
    return row && toEntry(row);
  }

  async page(
    filter: IdempotencyFilter,
    request: PageRequest<IdempotencyKeyId>,
  ): Promise<Page<IdempotencyEntry>> {
    const { statement, values } = this.#table.pages.page(filter, request);
    const rows = await this.#session.query<IdempotencyEntryRow>(statement, values);
    return Page.of(rows.map(toEntry), request.limit);
  }
}

/** The statements select the columns of the entity, so their rows have its types. */
const recordOf = (row: Row | undefined): IdempotencyRecord | undefined =>
  row && fromRow(row as unknown as IdempotencyKeyRow);
