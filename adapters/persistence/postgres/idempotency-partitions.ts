import type { Instant } from '#domain/instant.ts';
import { idempotencyKeys } from '../schema/entities/idempotency-key.ts';
import type { PurgeIdempotencyKeys } from '../sql/dialect.ts';
import type { SqlSession, Statement } from '../sql/session.ts';

const { name } = idempotencyKeys;

/** Only one forgets at a time, and nobody waits for it. */
const takeTurn: Statement = {
  name: `${name}_forget_turn`,
  text: `select pg_try_advisory_xact_lock('${name}'::regclass::oid::int, 0) as mine`,
};

const listParts: Statement = {
  name: `${name}_parts`,
  text:
    `select substring(relname from '\\d+$')::int as part from pg_inherits ` +
    `join pg_class on pg_class.oid = inhrelid where inhparent = '${name}'::regclass order by part`,
};

/** Whether a part has a key that can go, and whether it has one that cannot go yet. */
const lookAtAge: Statement = {
  name: `${name}_part_age`,
  text:
    `select exists(${settledOf('<=')}) as old, exists(${settledOf('>')}) as young ` +
    'from (select $1::int as part, $2::timestamptz as before) as asked',
};

function settledOf(comparison: string): string {
  return `select from ${name} where part = asked.part and lease_until is null and created_at ${comparison} asked.before`;
}

/** Whoever uses the keys now is waited for, and keeps everybody behind waiting: only so long, in milliseconds. */
const doNotWaitLong: Statement = {
  name: `${name}_forget_patience`,
  text: "select set_config('lock_timeout', '50', true)",
};

/** Not to get it is nothing that has to be undone. */
const tryToLock: Statement = {
  name: `${name}_lock`,
  text: `
    do $$ begin
      lock table ${name} in access exclusive mode;
      perform set_config('portico.has_keys', 'true', true);
    exception when lock_not_available then
      perform set_config('portico.has_keys', 'false', true);
    end $$`,
};

const isLocked: Statement = {
  name: `${name}_is_locked`,
  text: "select current_setting('portico.has_keys')::boolean as mine",
};

/** When they are in use, as they are while a backup reads them, it is tried again so much later, in milliseconds. */
const respite = 60_000;

/** What has not come to an end goes on in the newest part. */
const keepUnsettled: Statement = {
  name: `${name}_keep_unsettled`,
  text: `update ${name} set part = $1 where part = $2 and lease_until is not null`,
};

/**
 * Keys are kept in parts, one opened after the other, and a part whose keys are all old goes as a whole: however many
 * they were, that takes no longer than one, and leaves nothing behind that would have to be cleaned up.
 *
 * A key is unique in its part only. That it stands in no other part is certain all the same: whoever adds one has
 * looked for it in all of them, and while that transaction lasts nobody opens a part, for that takes the whole table.
 */
export const forgettingByParts = (): PurgeIdempotencyKeys => {
  let notBefore = 0;
  return async (session, createdBefore) => {
    if (performance.now() < notBefore) return false;
    const wasInTheWay = await forget(session, createdBefore);
    if (wasInTheWay) notBefore = performance.now() + respite;
    return false;
  };
};

/** @returns whether somebody was in the way */
const forget = async (session: SqlSession, createdBefore: Instant): Promise<boolean> => {
  const [turn] = await session.query<{ readonly mine: number }>(takeTurn, []);
  if (!turn?.mine) return false;
  const parts = await session.query<{ readonly part: number }>(listParts, []);
  const ages = [];
  for (const { part } of parts) ages.push({ part, ...(await ageOf(session, part, createdBefore)) });
  const newest = ages.at(-1);
  if (newest === undefined) throw new TypeError('There is no part for keys.');
  const next = newest.old ? newest.part + 1 : undefined;
  const current = next ?? newest.part;
  const gone = ages.filter(({ part, young }) => part !== current && !young);
  if (next === undefined && gone.length === 0) return false;
  await session.query(doNotWaitLong, []);
  await session.execute(tryToLock, []);
  const [lock] = await session.query<{ readonly mine: number }>(isLocked, []);
  if (!lock?.mine) return true;
  if (next !== undefined) await open(session, next);
  for (const { part } of gone) {
    // Looked at again, now that nobody can add anything.
    if ((await ageOf(session, part, createdBefore)).young) continue;
    await session.execute(keepUnsettled, [current, part]);
    await session.execute({ name: `${name}_drop_${part}`, text: `drop table ${name}_${part}` }, []);
  }
  return false;
};

interface Age {
  readonly old: number;
  readonly young: number;
}

const ageOf = async (session: SqlSession, part: number, createdBefore: Instant): Promise<Age> => {
  const [age] = await session.query<Age>(lookAtAge, [part, createdBefore]);
  return age ?? { old: 0, young: 0 };
};

const open = async (session: SqlSession, part: number): Promise<void> => {
  const bounds = `partition of ${name} for values in (${part})`;
  await session.execute({ name: `${name}_add_${part}`, text: `create table ${name}_${part} ${bounds}` }, []);
  const change = `alter table ${name} alter column part set default ${part}`;
  await session.execute({ name: `${name}_open_${part}`, text: change }, []);
};
