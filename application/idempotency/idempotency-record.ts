import type { Instant } from '#domain/instant.ts';
import { ApplicationError } from '../errors.ts';
import type { Attempt, RememberedKey, Undertaking } from '../ports/idempotency.ts';
import type { Outcome } from './outcome.ts';

/** What an attempt came to: its outcome when it was carried out now, or what was answered the first time. */
export type Attempted<T> = { readonly outcome: Outcome<T> } | { readonly remembered: string };

/** Puts an outcome into the form in which it is remembered and answered again. */
export type WriteAnswer<T> = (outcome: Outcome<T>) => string;

/** A key under which something was begun at a provider. */
export interface Undertaken extends RememberedKey {
  readonly undertaking: Undertaking;
}

/** What is to be known of the key of an attempt, and no more than that of the attempt. */
export const newKey = (
  { userId, key, role, fingerprint }: Attempt,
  createdAt: Instant,
  rest: Pick<RememberedKey, 'answer' | 'undertaking'>,
): RememberedKey => ({ userId, key, role, fingerprint, createdAt, ...rest });

export const isUndertaken = (known: RememberedKey): known is Undertaken => known.undertaking !== null;

/** Whether something that was begun under the key has not come to an end. */
export const isUnsettled = ({ undertaking }: RememberedKey): boolean =>
  undertaking !== null && undertaking.leaseUntil !== null;

/** @throws ApplicationError 'key-in-progress' when there is no answer yet */
export const answerOf = (known: RememberedKey | undefined): { readonly remembered: string } => {
  if (known === undefined || known.answer === null) throw inProgress();
  return { remembered: known.answer };
};

export const inProgress = (): ApplicationError =>
  new ApplicationError('key-in-progress', 'The first request with this idempotency key is still running.');
