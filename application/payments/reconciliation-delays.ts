import { Instant } from '#domain/instant.ts';
import type { PaymentStatus } from '#domain/payment.ts';
import type { ReconciliationTask } from '../ports/reconciliation-tasks.ts';

/** A status in which the payer or the provider decides next. */
export type WaitingStatus = Extract<PaymentStatus, 'requires_action' | 'processing'>;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Delays between attempts while none has succeeded, in milliseconds. Later ones are hourly. */
const retryDelaysMs = [5 * second, 30 * second, 2 * minute, 10 * minute];

/** Three days of hourly attempts after the first ones. */
const maxAttempts = retryDelaysMs.length + 3 * 24;

/** How long a payment is reconciled that its provider does not decide, in milliseconds. */
const maxWaitMs = 21 * day;

/** How often a mismatch is retrieved again, in milliseconds: hourly. */
export const mismatchDelayMs = hour;

/** What the delays of a task depend on. Reads of a payment by its payer count as attempts too. */
type Attempted = Pick<ReconciliationTask, 'attempts' | 'events' | 'createdAt'>;

/**
 * The delay until the next attempt, unless the result of this one is recorded. A task without an event belongs to a payment that waits:
 * within its first hour it is retrieved at least every ten minutes.
 * @param task with the attempts since the last event or the last success, this one included
 * @returns milliseconds
 */
export const retryDelayMs = ({ attempts, events, createdAt }: Attempted, now: Instant): number => {
  const delay = retryDelaysMs[attempts - 1] ?? hour;
  const isYoung = events === 0 && now < Instant.plus(createdAt, hour);
  return isYoung ? Math.min(delay, 10 * minute) : delay;
};

/**
 * Whether a task is given up after an attempt that did not succeed: after three days of hourly attempts when an event named it, and
 * otherwise after as long as a payment may wait.
 */
export const isGivenUp = ({ attempts, events, createdAt }: Attempted, now: Instant): boolean =>
  attempts >= maxAttempts && now >= Instant.plus(createdAt, events > 0 ? 3 * day : maxWaitMs);

/** Whether a task is given up for which the provider reports another charge: after as long as a payment may wait. */
export const hasMismatchExpired = ({ createdAt }: Pick<Attempted, 'createdAt'>, now: Instant): boolean =>
  now >= Instant.plus(createdAt, maxWaitMs);

/**
 * When an unchanged payment is reconciled next: while the payer acts 5, 15, 30 and 60 s after it began to wait and every
 * 60 s from then on; while the provider decides every 10 min for an hour, and hourly for 21 days.
 * @param since when it began to wait
 * @returns undefined when it has waited for too long
 */
export const nextReconciliationAt = (
  status: WaitingStatus,
  since: Instant,
  now: Instant,
): Instant | undefined => {
  const waitedMs = Math.max(0, Instant.milliseconds(now) - Instant.milliseconds(since));
  if (waitedMs >= maxWaitMs) return undefined;
  return Instant.plus(since, status === 'requires_action' ? afterAction(waitedMs) : afterDecision(waitedMs));
};

const afterAction = (waitedMs: number): number =>
  [5 * second, 15 * second, 30 * second].find((due) => due > waitedMs) ?? nextMultiple(minute, waitedMs);

const afterDecision = (waitedMs: number): number =>
  nextMultiple(waitedMs < hour ? 10 * minute : hour, waitedMs);

const nextMultiple = (of: number, ms: number): number => of * (Math.floor(ms / of) + 1);
