import { Instant } from '#domain/instant.ts';
import type { PaymentStatus } from '#domain/payment.ts';
import type { LookUp } from '../ports/reconciliation-tasks.ts';

/** A status in which the payer or the provider decides next. */
export type WaitingStatus = Extract<PaymentStatus, 'requires_action' | 'processing'>;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** How long after a look-up the next one is due while none has succeeded, in milliseconds. Later ones are hourly. */
const retryDelaysMs = [5 * second, 30 * second, 2 * minute, 10 * minute];

/** Three days of hourly look-ups behind the first ones. */
const maxAttempts = retryDelaysMs.length + 3 * 24;

/** How long a payment is looked up that its provider does not decide, in milliseconds. */
const maxWaitMs = 21 * day;

/** How often what a provider says differently from what was asked is looked up, in milliseconds: hourly. */
export const mismatchDelayMs = hour;

/** A look-up, as far as its schedule goes by it. Reads of a payment by its payer count as attempts too. */
type Tried = Pick<LookUp, 'attempts' | 'events' | 'createdAt'>;

/**
 * How long after a look-up the next one is due, unless its result is recorded. A place without an event belongs to a payment that waits:
 * within its first hour it is looked at at least every ten minutes.
 * @param lookUp with the attempts since the last event or the last success, this one included
 * @returns milliseconds
 */
export const retryDelayMs = ({ attempts, events, createdAt }: Tried, now: Instant): number => {
  const delay = retryDelaysMs[attempts - 1] ?? hour;
  const isYoung = events === 0 && now < Instant.plus(createdAt, hour);
  return isYoung ? Math.min(delay, 10 * minute) : delay;
};

/**
 * Whether a place is given up after a look-up that did not succeed: after three days of hourly look-ups when an event named it, and
 * otherwise after as long as a payment may wait.
 */
export const isGivenUp = ({ attempts, events, createdAt }: Tried, now: Instant): boolean =>
  attempts >= maxAttempts && now >= Instant.plus(createdAt, events > 0 ? 3 * day : maxWaitMs);

/** Whether a place is given up of whose charge the provider tells another one: after as long as a payment may wait. */
export const isMistoldTooLong = ({ createdAt }: Pick<Tried, 'createdAt'>, now: Instant): boolean =>
  now >= Instant.plus(createdAt, maxWaitMs);

/**
 * When a payment is looked up next that has told no news: while the payer acts 5, 15, 30 and 60 s after it began to wait and every
 * 60 s from then on; while the provider decides every 10 min for an hour, and hourly for 21 days.
 * @param since when it began to wait
 * @returns undefined when it has waited for too long
 */
export const nextLookUpAt = (status: WaitingStatus, since: Instant, now: Instant): Instant | undefined => {
  const waitedMs = Math.max(0, Instant.milliseconds(now) - Instant.milliseconds(since));
  if (waitedMs >= maxWaitMs) return undefined;
  return Instant.plus(since, status === 'requires_action' ? afterAction(waitedMs) : afterDecision(waitedMs));
};

const afterAction = (waitedMs: number): number =>
  [5 * second, 15 * second, 30 * second].find((due) => due > waitedMs) ?? nextMultiple(minute, waitedMs);

const afterDecision = (waitedMs: number): number =>
  nextMultiple(waitedMs < hour ? 10 * minute : hour, waitedMs);

const nextMultiple = (of: number, ms: number): number => of * (Math.floor(ms / of) + 1);
