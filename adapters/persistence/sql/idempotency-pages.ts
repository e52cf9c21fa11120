import { type Compilable, sql } from 'kysely';
import { leastIdAt, timeOf } from '#application/idempotency/key-resource.ts';
import {
  type IdempotencyFilter,
  type IdempotencyKeyId,
  type KeyStatus,
  responseStartLength,
} from '#application/ports/idempotency.ts';
import type { PageRequest } from '#application/ports/page.ts';
import { Instant } from '#domain/instant.ts';
import { idempotencyKeys } from '../schema/entities/idempotency-key.ts';
import type { Value } from '../schema/entities/table.ts';
import { type Builder, compile, parameter } from './builder.ts';
import type { Select } from './dialect.ts';
import { valuesOf } from './direct-session.ts';
import type { BoundStatement, CompiledStatement } from './sql-table.ts';
import { memoized } from './statements.ts';

const { name, columns } = idempotencyKeys;

/** Behind every id, so that each page begins behind an id and one statement serves all of an order. */
const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff' as IdempotencyKeyId;

/** Before every lease. */
const earliest = Instant.at(0);

export interface IdempotencyPages {
  readonly findById: (id: IdempotencyKeyId) => BoundStatement;
  readonly page: (filter: IdempotencyFilter, request: PageRequest<IdempotencyKeyId>) => BoundStatement;
}

type Order = 'asc' | 'desc';

/**
 * Compiles the reads of idempotency records for users and staff. Settled records are read by the index of user and id, the few others
 * by the index of leases, so that neither reads all records of a user to find some.
 */
export const compileIdempotencyPages = (builder: Builder): IdempotencyPages => {
  const listed: Select = builder
    .selectFrom(name)
    .select([
      ...columns.filter((column) => column !== 'answer'),
      sql<string>`substr(answer, 1, ${sql.lit(responseStartLength)})`.as('response_start'),
    ]);

  /** By the index of leases: hidden from the planner, the user and the order cannot make it read all records of the user. */
  const unsettled = listed
    .where('lease_until', '>=', parameter('earliest'))
    .where(sql`case when lease_until is null then null else user_id end`, '=', parameter('user_id'));
  const settled = listed.where('user_id', '=', parameter('user_id')).where('lease_until', 'is', null);

  const ofStatus: Readonly<Record<KeyStatus, Select>> = {
    completed: settled,
    in_progress: unsettled
      .where('lease_until', '>', parameter('now'))
      .where('lease_until', '<=', parameter('latest_plausible')),
    open: unsettled.where((is) =>
      is.or([
        is('lease_until', '<=', parameter('now')),
        is('lease_until', '>', parameter('latest_plausible')),
      ]),
    ),
  };

  const pageStatement = (status: KeyStatus | 'any', order: Order): CompiledStatement => {
    const pageOf = (rows: Select): Select =>
      // The id has the time of creation. Both bounds, also where one is beyond every id: with one, PostgreSQL expects a third of the
      // keys in a partition without statistics, and sorts all of a user.
      (rows === settled
        ? rows.where('id', '>', parameter('from')).where('id', '<', parameter('before'))
        : rows.where('id', order === 'asc' ? '>' : '<', parameter('after'))
      )
        .orderBy('id', order)
        .limit(parameter<number>('limit'));
    const wrapped = (rows: Select, alias: string) => builder.selectFrom(pageOf(rows).as(alias)).selectAll();
    const query: Compilable =
      status === 'any'
        ? builder
            .selectFrom(wrapped(settled, 'settled').unionAll(wrapped(unsettled, 'unsettled')).as('keys'))
            .selectAll()
            .orderBy('id', order)
            .limit(parameter<number>('limit'))
        : pageOf(ofStatus[status]);
    return compile(`${name}_page_${status}_${order}`, query);
  };
  const inOrder = memoized((order: Order) =>
    memoized((status: KeyStatus | 'any') => pageStatement(status, order)),
  );

  const byId = compile(
    `${name}_find_by_id`,
    listed
      .where('created_at', '=', parameter('created_at'))
      .where('lease_until', 'is', null)
      .where('id', '=', parameter('id'))
      .unionAll(listed.where('lease_until', '>=', parameter('earliest')).where('id', '=', parameter('id'))),
  );

  return {
    findById: (id) => bound(byId, { id, created_at: timeOf(id), earliest }),
    page: ({ userId, status, expiredBefore, now, latestExpiry }, { after, limit, order }) => {
      const isAscending = order !== 'descending';
      const start = after ?? (isAscending ? leastIdAt(earliest) : greatestId);
      // Less than any id of that time, whose last digits are not all 0.
      const current = leastIdAt(Instant.plus(expiredBefore, 1));
      return bound(inOrder(isAscending ? 'asc' : 'desc')(status ?? 'any'), {
        user_id: userId,
        earliest,
        now,
        latest_plausible: latestExpiry,
        after: start,
        from: isAscending && start > current ? start : current,
        before: isAscending ? greatestId : start,
        limit: limit + 1,
      });
    },
  };
};

const bound = (statement: CompiledStatement, values: Readonly<Record<string, Value>>): BoundStatement => ({
  statement,
  values: valuesOf(statement, values),
});
