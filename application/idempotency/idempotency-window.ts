import { Instant } from '#domain/instant.ts';
import type { Resource } from '#domain/resource.ts';
import { ApplicationError } from '../errors.ts';
import { maxRequestLifetimeMs, type PaymentProvider } from '../ports/payment-provider.ts';

/** Time since a resource was created, in milliseconds. */
export const ageOf = ({ createdAt }: Pick<Resource, 'createdAt'>, now: Instant): number =>
  Instant.milliseconds(now) - Instant.milliseconds(createdAt);

/**
 * Guards against a change of provider, which knows nothing of charges that were made with another one.
 * @throws ApplicationError 'provider-failed'
 */
export const requireSameProvider = (
  { name }: PaymentProvider,
  { provider }: { readonly provider: string },
): void => {
  if (provider === name) return;
  throw new ApplicationError(
    'provider-failed',
    `This was begun with the payment provider ${provider}, but ${name} is configured now.`,
  );
};

/**
 * The state of the provider's idempotency window for a request of that age:
 *
 * - `open`: a retry is recognized
 * - `closing`: a retry might be mistaken for a new request, and an earlier request may still be in flight
 * - `closed`: no request is in flight any more
 */
export const windowOf = (
  { idempotencyWindowMs }: PaymentProvider,
  age: number,
): 'open' | 'closing' | 'closed' => {
  if (age < idempotencyWindowMs) return 'open';
  return age < idempotencyWindowMs + maxRequestLifetimeMs ? 'closing' : 'closed';
};
