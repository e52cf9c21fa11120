import { Dispute } from '#domain/dispute.ts';
import { DomainError } from '#domain/errors.ts';
import { Order } from '#domain/order.ts';
import type { ReadRepositories } from '../ports/repositories.ts';
import { requireFound } from '../preconditions.ts';

/**
 * Requires that the money of a paid order was lost in a dispute, and that neither its bank nor its provider has still to decide.
 * @param order a paid order, locked
 * @throws DomainError 'invalid-state' without a lost dispute, while another is open, and while a refund is pending
 */
export const requireLost = async (
  { disputes, payments }: Pick<ReadRepositories, 'disputes' | 'payments'>,
  order: Order,
): Promise<void> => {
  const found = await disputes.findBy('orderId', [order.id]);
  const open = found.find(Dispute.isOpen);
  if (open !== undefined)
    throw new DomainError(
      'invalid-state',
      `The dispute ${open.id} is ${open.status}. Answer or accept it at the payment provider: the order can be canceled once the payer's bank has decided for the payer.`,
    );
  const lost = found.find(({ status }) => status === 'lost');
  if (lost === undefined) throw Order.notTransitioned(order, 'canceled');
  const payment = requireFound(await payments.find(lost.paymentId));
  if (payment.refunding.amount > 0)
    throw new DomainError(
      'invalid-state',
      `A refund of the payment ${payment.id} is pending. Wait until it has succeeded or failed.`,
    );
};
