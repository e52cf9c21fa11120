import { Dispute } from '#domain/dispute.ts';
import { DomainError } from '#domain/errors.ts';
import type { Payment } from '#domain/payment.ts';
import type { ReadRepositories } from '../ports/repositories.ts';

/** @throws DomainError 'invalid-state' while a dispute of the payment is open, since the payer may get the money from their bank */
export const requireUndisputed = async (
  { disputes }: Pick<ReadRepositories, 'disputes'>,
  { id, disputed }: Payment,
): Promise<void> => {
  if (disputed.amount === 0) return;
  const found = await disputes.findBy('paymentId', [id]);
  const open = found.find(Dispute.isOpen);
  if (open !== undefined)
    throw new DomainError(
      'invalid-state',
      `The dispute ${open.id} of the payment is ${open.status}. Answer or accept it at the payment provider: what the payer's bank leaves can be refunded then.`,
    );
};
