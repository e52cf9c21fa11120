import type { Instant } from '#domain/instant.ts';
import { Order } from '#domain/order.ts';
import { Payment } from '#domain/payment.ts';
import { Refund, type RefundId } from '#domain/refund.ts';
import { releaseOrderStock } from '../inventory/stock.ts';
import type { RefundState } from '../ports/charge.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { Clock } from '../ports/system.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import { scheduleRefundReconciliation } from './schedule-reconciliation.ts';

/** Records what became of a refund: its payment, and after a full refund its order and the stock. */
export const applyRefundOutcome = ({ clock }: { readonly clock: Clock }) => {
  /**
   * Settles the refund and its payment with the provider's outcome. Does nothing when the refund is settled already: a late
   * refund failure is handled in `reconciliation/refunds.ts`. The payment is locked before its refunds, as reconciliation locks
   * them, so that the two do not deadlock.
   */
  const settle =
    (id: RefundId, outcome: RefundState): Work<Refund> =>
    async (repositories) => {
      const { refunds, payments } = repositories;
      const { paymentId } = requireFound(await refunds.find(id));
      const payment = requireFound(await payments.lock(paymentId));
      const refund = requireFound(await refunds.lock(id));
      if (refund.status !== 'pending') return refund;
      const at = clock.now();
      if ('declined' in outcome) {
        const failed = Refund.fail(refund, outcome.declined, at);
        await refunds.save(failed);
        await payments.save(Payment.abandonRefund(payment, refund.amount, at));
        return failed;
      }
      if ('waitsFor' in outcome) {
        const accepted = Refund.accept(refund, outcome.reference, at);
        await refunds.save(accepted);
        await scheduleRefundReconciliation(repositories.reconciliationTasks, accepted, at);
        return accepted;
      }
      const succeeded = Refund.succeed(refund, outcome.reference, at);
      await refunds.save(succeeded);
      await complete(repositories, payment, succeeded, at);
      return succeeded;
    };

  /** Completes the payment of a refund that has succeeded, and closes its order after a full refund. */
  const complete = async (
    repositories: Repositories,
    payment: Payment,
    { amount }: Refund,
    at: Instant,
  ): Promise<void> => {
    const refunded = Payment.completeRefund(payment, amount, at);
    await repositories.payments.save(refunded);
    if (refunded.status === 'refunded') await closeOrder(repositories, refunded, at);
  };

  return { settle, complete };
};

/** After a full refund a paid order becomes refunded and releases its stock. A fulfilled order stays fulfilled. */
const closeOrder = async (
  { orders, orderItems, products }: Repositories,
  payment: Payment,
  at: Instant,
): Promise<void> => {
  const order = requireFound(await orders.lock(payment.orderId));
  if (order.status !== 'paid') return;
  await orders.save(Order.transitionTo(order, 'refunded', at));
  await releaseOrderStock(products, orderItems, order.id, at);
};
