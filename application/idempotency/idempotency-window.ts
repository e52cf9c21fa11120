import { Instant } from '#domain/instant.ts';
import type { Resource } from '#domain/resource.ts';
import { ApplicationError } from '../errors.ts';
import { maxRequestLifetimeMs, type PaymentProvider } from '../ports/payment-provider.ts';

/** In milliseconds. */
export const ageOf = ({ createdAt }: Pick<Resource, 'createdAt'>, now: Instant): number =>
  Instant.milliseconds(now) - Instant.milliseconds(createdAt);

/** @throws ApplicationError 'provider-failed' when it was begun with another one, of whose doings this one knows nothing */
export const requireSameProvider = (
  { name }: PaymentProvider,
  begun: { readonly provider: string },
): void => {
  if (begun.provider === name) return;
  const message = `It was begun with ${begun.provider}, and the payment provider now is ${name}.`;
  throw new ApplicationError('provider-failed', message);
};

/**
 * How far something of that age has faded from the provider's memory:
 *
 * - `known`: a repetition is taken for what it is
 * - `fading`: a repetition might be taken for something new, while an earlier one may still be on its way
 * - `over`: nothing is on its way any more
 */
export const windowOf = (
  { idempotencyWindowMs: memory }: PaymentProvider,
  age: number,
): 'known' | 'fading' | 'over' => {
  if (age < memory) return 'known';
  return age < memory + maxRequestLifetimeMs ? 'fading' : 'over';
};
