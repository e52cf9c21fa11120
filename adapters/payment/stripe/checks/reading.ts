import { unknownOutcome } from '../api/errors.ts';
import { redactSecrets } from '../api/redaction.ts';

/** What Stripe shows, or why it does not: without a status when there was no response. */
export type Reading<T> =
  | { readonly shown: T }
  | { readonly status: number | undefined; readonly reason: string };

/** Reads from Stripe for a check, without the secret key in what Stripe returns. */
export type Read = <T>(request: () => Promise<T>) => Promise<Reading<T>>;

export const readingWith =
  (secretKey: string): Read =>
  async (request) => {
    try {
      return { shown: await request() };
    } catch (thrown) {
      const error = unknownOutcome(thrown, redactSecrets([secretKey]));
      const { message, status } = (error.cause ?? error) as Error & { readonly status?: number };
      return { status, reason: message };
    }
  };
