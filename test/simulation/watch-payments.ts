import type { ReadRepositories, Repositories } from '#application/ports/repositories.ts';
import { Payment, type PaymentStatus } from '#domain/payment.ts';
import type { RefundStatus } from '#domain/refund.ts';
import { replacing } from './replacing.ts';

/** The statuses that can follow each status of a payment. What was refunded can come back. */
const afterPayment: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ['requires_action', 'processing', 'authorized', 'succeeded', 'failed'],
  requires_action: ['processing', 'authorized', 'succeeded', 'failed', 'canceled'],
  processing: ['authorized', 'succeeded', 'failed'],
  authorized: ['succeeded', 'canceled'],
  succeeded: ['partially_refunded', 'refunded'],
  partially_refunded: ['succeeded', 'refunded'],
  refunded: ['succeeded', 'partially_refunded'],
  failed: [],
  canceled: [],
};

const afterRefund: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  pending: ['succeeded', 'failed'],
  succeeded: ['failed'],
  failed: [],
};

type Watched = Pick<Repositories, 'payments' | 'refunds'>;

/**
 * Watches that payments and refunds go only the ways that they have, and that no order has two live payments, not even for a moment.
 * @param notice is called with each breach, and what has begun may still roll back
 */
export const watchedPayments = (to: Repositories, notice: (breach: string) => void): Watched => ({
  payments: replacing(to.payments, {
    add: async (payment) => {
      await to.payments.add(payment);
      await watchLive(to, payment, notice);
    },
    save: async (payment) => {
      const before = await to.payments.find(payment.id);
      if (before !== undefined) watchStep('payment', before, payment, afterPayment, notice);
      await to.payments.save(payment);
    },
  }),
  refunds: replacing(to.refunds, {
    save: async (refund) => {
      const before = await to.refunds.find(refund.id);
      if (before !== undefined) watchStep('refund', before, refund, afterRefund, notice);
      await to.refunds.save(refund);
    },
  }),
});

const watchLive = async (
  { payments }: Pick<ReadRepositories, 'payments'>,
  { orderId }: Payment,
  notice: (breach: string) => void,
): Promise<void> => {
  const { rows } = await payments.page({ orderId }, { limit: 100 });
  const live = rows.filter(Payment.isLive);
  if (live.length > 1) notice(`The order ${orderId} has ${live.length} live payments.`);
};

/** A row with its status, which changes only in some ways. */
const watchStep = <Status extends string>(
  what: string,
  before: { readonly id: string; readonly status: Status },
  after: { readonly status: Status },
  ways: Readonly<Record<Status, readonly Status[]>>,
  notice: (breach: string) => void,
): void => {
  if (before.status !== after.status && !ways[before.status].includes(after.status))
    notice(`The ${what} ${before.id} was ${before.status}, and became ${after.status}.`);
};
