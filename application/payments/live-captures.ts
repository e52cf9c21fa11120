import { Capture } from '#domain/capture.ts';
import { DomainError } from '#domain/errors.ts';
import type { PaymentId } from '#domain/payment.ts';
import type { ReadRepositories, Repositories } from '../ports/repositories.ts';

/** Whether a payment has a capture that has not failed. */
export const hasCapture = async (
  { captures }: Pick<ReadRepositories, 'captures'>,
  paymentId: PaymentId,
): Promise<boolean> => (await captures.findBy('paymentId', [paymentId])).some(Capture.isLive);

/**
 * While a capture may succeed, nothing else may end the payment.
 * @throws DomainError 'invalid-state' when the payment has a capture that has not failed
 */
export const requireNoCapture = async (
  { captures }: Pick<Repositories, 'captures'>,
  paymentId: PaymentId,
): Promise<void> => {
  const live = (await captures.findBy('paymentId', [paymentId])).find(Capture.isLive);
  if (live !== undefined)
    throw new DomainError(
      'invalid-state',
      `The payment has a capture that is ${live.status}: ${live.id}. ${live.status === 'pending' ? 'Wait until it has succeeded or failed.' : 'Refund the payment instead.'}`,
    );
};
