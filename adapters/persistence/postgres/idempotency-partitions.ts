import { sql } from 'kysely';
import type { Instant } from '#domain/instant.ts';
import { idempotencyKeys } from '../schema/entities/idempotency-key.ts';
import type { Value } from '../schema/entities/table.ts';
import { type Builder, compile, parameter } from '../sql/builder.ts';
import type { PurgeIdempotencyKeys } from '../sql/dialect.ts';
import { valuesOf } from '../sql/direct-session.ts';
import type { SqlSession } from '../sql/session.ts';
import type { CompiledStatement, SqlTable, Statement } from '../sql/sql-table.ts';

const { name } = idempotencyKeys;

/*
 * Statements about partitions are written by hand: the builder knows neither PostgreSQL's catalogue nor its locks and
 * settings, and DDL accepts no parameters. Those on the keys themselves are compiled.
 */

/** One process rotates at a time; the others skip their turn. The lock ends with the transaction. */
const tryTurn: Statement = {
  name: `${name}_rotation_turn`,
  text: `select pg_try_advisory_xact_lock('${name}'::regclass::oid::int, 0) as acquired`,
};

const listPartitions: Statement = {
  name: `${name}_partitions`,
  text:
    `select substring(relname from '\\d+$')::int as part from pg_inherits ` +
    `join pg_class on pg_class.oid = inhrelid where inhparent = '${name}'::regclass order by part`,
};

/**
 * The table lock waits for transactions that use the keys, and every later one queues behind it, so it has a
 * short timeout. That is caught, so that the transaction need not be rolled back.
 */
const tryLock: Statement = {
  name: `${name}_try_lock`,
  text: `
    do $$ begin
      perform set_config('lock_timeout', '50', true);
      lock table ${name} in access exclusive mode;
      perform set_config('portico.has_keys', 'true', true);
    exception when lock_not_available then
      perform set_config('portico.has_keys', 'false', true);
    end $$`,
};

const isLocked: Statement = {
  name: `${name}_is_locked`,
  text: "select current_setting('portico.has_keys')::boolean as acquired",
};

/** The wait before the next attempt when the table is in use, as it is during a backup, in milliseconds. */
const retryDelayMs = 60_000;

interface KeyStatements {
  /** Whether a partition holds settled keys that have expired, and settled keys that have not. */
  readonly findAge: CompiledStatement;
  /** A key whose request is still in progress outlives its partition. */
  readonly moveUnsettled: CompiledStatement;
}

const compileKeyStatements = (builder: Builder): KeyStatements => {
  const settled = (comparison: '<=' | '>') =>
    builder
      .selectFrom(name)
      .where('part', '=', parameter('part'))
      .where('lease_until', 'is', null)
      .where('created_at', comparison, parameter('created_before'));
  return {
    findAge: compile(
      `${name}_partition_age`,
      builder.selectNoFrom(({ exists }) => [
        exists(settled('<=')).as('has_expired'),
        exists(settled('>')).as('has_current'),
      ]),
    ),
    moveUnsettled: compile(
      `${name}_move_unsettled`,
      builder
        .updateTable(name)
        .set({ part: parameter('to') })
        // Read by the index of leases, of which there are few. A new partition has no statistics, so the planner would
        // estimate `is not null` as all rows, and read them by the primary key, which has the part.
        .where('lease_until', '>=', sql<Instant>`'-infinity'`)
        .where(sql<Value>`part + 0`, '=', parameter('part')),
    ),
  };
};

/**
 * Inserts a key unless a partition has it: the primary key makes it unique within the current one only. The look-up locks the
 * table against `rotatePartitions` until the transaction ends, so no partition opens in between.
 */
export const insertUnlessExists = (builder: Builder, { name, columns, key }: SqlTable) => {
  const existing = key.reduce(
    (query, column) => query.where(column, '=', parameter(column)),
    builder.selectFrom(name),
  );
  const given = builder
    .selectNoFrom(columns.map((column) => parameter(column).as(column)))
    .where(({ not, exists }) => not(exists(existing)));
  return builder
    .insertInto(name)
    .columns([...columns])
    .expression(given);
};

/**
 * Purges idempotency keys by rotating list partitions: a partition whose keys have all expired is dropped as a whole, in the
 * same time for any number of keys and without dead rows.
 *
 * @returns the purge, whose calls never ask to be repeated
 */
export const rotatePartitions = (builder: Builder): PurgeIdempotencyKeys => {
  const statements = compileKeyStatements(builder);
  let notBefore = 0;
  return async (session, createdBefore) => {
    if (performance.now() < notBefore) return false;
    if (!(await rotate(session, statements, createdBefore))) notBefore = performance.now() + retryDelayMs;
    return false;
  };
};

/** @returns false when the table was in use */
const rotate = async (
  session: SqlSession,
  { findAge, moveUnsettled }: KeyStatements,
  createdBefore: Instant,
): Promise<boolean> => {
  const ageOf = async (part: number): Promise<Age> => {
    const values = valuesOf(findAge, { part, created_before: createdBefore });
    const [age] = await session.query<Age>(findAge, values);
    return age ?? { has_expired: 0, has_current: 0 };
  };
  if (!(await isAcquired(session, tryTurn))) return true;
  const partitions = await session.query<{ readonly part: number }>(listPartitions, []);
  const ages = [];
  for (const { part } of partitions) ages.push({ part, ...(await ageOf(part)) });
  const newest = ages.at(-1);
  if (newest === undefined) throw new TypeError('The idempotency keys have no partition.');
  const next = newest.has_expired ? newest.part + 1 : undefined;
  const current = next ?? newest.part;
  const expired = ages.filter(({ part, has_current }) => part !== current && !has_current);
  if (next === undefined && expired.length === 0) return true;
  await session.execute(tryLock, []);
  if (!(await isAcquired(session, isLocked))) return false;
  if (next !== undefined) await addPartition(session, next);
  for (const { part } of expired) {
    // Checked again behind the table lock, because a key may have been inserted meanwhile.
    if ((await ageOf(part)).has_current) continue;
    await session.execute(moveUnsettled, [current, part]);
    await session.execute({ name: `${name}_drop_${part}`, text: `drop table ${name}_${part}` }, []);
  }
  return true;
};

const isAcquired = async (session: SqlSession, statement: Statement): Promise<boolean> => {
  const [row] = await session.query<{ readonly acquired: number }>(statement, []);
  return Boolean(row?.acquired);
};

interface Age {
  readonly has_expired: number;
  readonly has_current: number;
}

/** New keys go into this partition from now on. */
const addPartition = async (session: SqlSession, part: number): Promise<void> => {
  const bounds = `partition of ${name} for values in (${part})`;
  await session.execute({ name: `${name}_add_${part}`, text: `create table ${name}_${part} ${bounds}` }, []);
  const change = `alter table ${name} alter column part set default ${part}`;
  await session.execute({ name: `${name}_set_default_${part}`, text: change }, []);
};
