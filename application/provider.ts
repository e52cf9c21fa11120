import { Instant } from '#domain/instant.ts';
import { ApplicationError } from './errors.ts';
import type { PaymentProvider } from './ports/payment-provider.ts';

/** What was begun with a provider, and when. */
interface Begun {
  readonly provider: string;
  readonly createdAt: Instant;
}

/** @throws ApplicationError 'provider-failed' when it was begun with another one, of whose doings this one knows nothing */
export const requireSameProvider = ({ name }: PaymentProvider, begun: Pick<Begun, 'provider'>): void => {
  if (begun.provider === name) return;
  const message = `It was begun with ${begun.provider}, and the payment provider now is ${name}.`;
  throw new ApplicationError('provider-failed', message);
};

/** Whether a repetition might be taken for something new, because the provider may have forgotten the first. */
export const mayBeForgotten = ({ memory }: PaymentProvider, { createdAt }: Begun, now: Instant): boolean =>
  Instant.milliseconds(now) - Instant.milliseconds(createdAt) >= memory;
