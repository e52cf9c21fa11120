import { Instant } from '../instant.ts';

/** Whether deliveries to an endpoint overtake each other, or wait for each other in the order of their events. */
export const webhookOrderings = ['parallel', 'sequential'] as const;
export type WebhookOrdering = (typeof webhookOrderings)[number];

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** When the next attempt of a delivery is made: the delay after each failed one but the last. The first is made at once. */
const parallelDelaysMs: readonly number[] = [
  ...[5 * seconds, 5 * minutes, 30 * minutes],
  ...[2 * hours, 5 * hours, 10 * hours, 14 * hours, 20 * hours, 24 * hours],
];

/** The delay after each failed attempt; the last one repeats for as long as it takes. */
const sequentialDelaysMs: readonly number[] = [1, 5, 30, 60].map((delay) => delay * seconds);
const lastSequentialDelayMs = 5 * minutes;

/** The longest delay that a receiver can ask for. */
export const maxRetryAfterMs = 1 * hours;

/** The share of a delay that is added at most, so that retries of many deliveries do not align. */
const maxJitter = 0.1;

/** After this many failed attempts in a row an endpoint is probed instead of flooded. */
const failuresBeforeProbing = 10;
const probeIntervalMs = 1 * minutes;

export interface FailedAttempt {
  readonly ordering: WebhookOrdering;
  /** The attempts of the delivery so far, this one included: at least 1. */
  readonly attemptCount: number;
  /** How long the receiver asks to wait, in milliseconds; undefined when it does not. */
  readonly retryAfterMs?: number | undefined;
}

export const WebhookAttempts = {
  /** The attempts of a delivery to a parallel endpoint, after which it has failed. */
  maxParallel: parallelDelaysMs.length + 1,

  /**
   * The delay from a failed attempt to the next one. It is never shorter than what the receiver asks for, up to an hour.
   * @param random from 0 to 1, 1 excluded
   * @returns milliseconds; undefined after the last attempt to a parallel endpoint. A sequential one is never given up.
   */
  delayAfter: (
    { ordering, attemptCount, retryAfterMs = 0 }: FailedAttempt,
    random: number,
  ): number | undefined => {
    const delayMs =
      ordering === 'parallel' ? parallelDelay(attemptCount, random) : sequentialDelay(attemptCount);
    return delayMs === undefined ? undefined : Math.max(delayMs, Math.min(retryAfterMs, maxRetryAfterMs));
  },

  /**
   * The longest time that a delivery can wait for its next attempt.
   * @param attemptCount the attempts of the delivery so far; the first one waits for nothing
   * @returns milliseconds
   */
  maxDelayAfter: (ordering: WebhookOrdering, attemptCount: number): number => {
    if (attemptCount === 0) return 0;
    return Math.max(WebhookAttempts.delayAfter({ ordering, attemptCount }, 1) ?? 0, maxRetryAfterMs);
  },

  /**
   * The least time between two attempts to an endpoint, over all its deliveries: a minute once ten have failed in a row.
   * @param failures attempts to the endpoint that have failed since the last success
   * @returns milliseconds; 0 for no limit
   */
  intervalAfter: (failures: number): number => (failures < failuresBeforeProbing ? 0 : probeIntervalMs),

  /**
   * Whether an endpoint has failed for so long that it is disabled.
   * @param failingSince when the first attempt after the last success failed; null when the last attempt succeeded
   * @param limitHours how long it may fail
   */
  isAbandoned: (failingSince: Instant | null, at: Instant, limitHours: number): boolean =>
    failingSince !== null && Instant.plus(failingSince, limitHours * hours) <= at,
};

const parallelDelay = (attemptCount: number, random: number): number | undefined => {
  const delayMs = parallelDelaysMs[attemptCount - 1];
  return delayMs === undefined ? undefined : Math.round(delayMs * (1 + maxJitter * random));
};

const sequentialDelay = (attemptCount: number): number =>
  sequentialDelaysMs[attemptCount - 1] ?? lastSequentialDelayMs;
