import { Instant } from '#domain/instant.ts';
import { ChargeNotFound, ProviderMismatch } from '../errors.ts';
import type { Clock } from '../ports/system.ts';

/** How often the background jobs retrieve what the provider reports differently from what was asked, in milliseconds: hourly. */
export const mismatchIntervalMs = 60 * 60 * 1000;

/** How often they retrieve a charge that may still arrive, in milliseconds. */
const arrivalIntervalMs = 60 * 1000;

export type RetryDelays = ReturnType<typeof retryDelays>;

/** Retry delays of payments and refunds that only time can settle. A restart retries at once. */
export const retryDelays = (clock: Clock) => {
  const until = new Map<string, Instant>();

  /** How long an error postpones its subject, in milliseconds; undefined for an error that the next run retries. */
  const delayOf = (error: unknown): number | undefined => {
    if (error instanceof ProviderMismatch) return mismatchIntervalMs;
    return error instanceof ChargeNotFound ? arrivalIntervalMs : undefined;
  };

  return {
    get size(): number {
      return until.size;
    },

    has: (subject: string): boolean => until.has(subject),

    /** Forgets what is due. A time that lies too far ahead was noted before the clock was set back. */
    forgetDue: (): void => {
      const now = clock.now();
      for (const [subject, time] of until) {
        if (time <= now || time > Instant.plus(now, mismatchIntervalMs)) until.delete(subject);
      }
    },

    /** Awaits work on a payment or refund, and postpones it when its error asks for that. @throws that error */
    guard: async <T>(working: Promise<T>): Promise<T> => {
      try {
        return await working;
      } catch (error) {
        const delay = delayOf(error);
        if (delay !== undefined && (error instanceof ProviderMismatch || error instanceof ChargeNotFound))
          until.set(error.subject, Instant.plus(clock.now(), delay));
        throw error;
      }
    },

    /** Whether a background job reports an error. A mismatch is reported where it is found, and a charge may stay undecided for long. */
    isReported: (error: unknown): boolean => delayOf(error) === undefined,
  };
};
