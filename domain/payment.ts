import { DomainError, invalid } from './errors.ts';
import type { Id } from './id.ts';
import type { Instant } from './instant.ts';
import { Money } from './money.ts';
import type { Order, OrderId } from './order.ts';
import { born, changed, type Resource } from './resource.ts';
import { text } from './rule.ts';
import type { UserId } from './user.ts';

export type PaymentId = Id<'payment'>;

export const paymentStatuses = ['pending', 'succeeded', 'failed', 'partially_refunded', 'refunded'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** Why a provider said no, in its own words. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** The payment of one order, in full. The payer's card or token is never part of it. */
export interface Payment extends Resource<PaymentId> {
  readonly orderId: OrderId;
  /** The order's owner. */
  readonly userId: UserId;
  readonly amount: Money;
  /** What has gone back to the payer. */
  readonly refunded: Money;
  /** What refunds that are still pending may yet take back. */
  readonly refunding: Money;
  readonly status: PaymentStatus;
  readonly provider: string;
  readonly providerReference: string | null;
  readonly failure: Failure | null;
}

export const Payment = {
  rules: { paymentMethod: text(1, 255) },

  /**
   * The payment of an order that has just been told of it by `Order.beginPayment`. Where there is nothing to pay it has
   * succeeded as it begins, and no provider has a part in it.
   */
  begin: (id: PaymentId, order: Order, provider: string, at: Instant): Payment => ({
    ...born(id, at),
    orderId: order.id,
    userId: order.userId,
    amount: order.total,
    refunded: Money.none(order.total.currency),
    refunding: Money.none(order.total.currency),
    status: order.total.amount === 0 ? 'succeeded' : 'pending',
    provider,
    providerReference: null,
    failure: null,
  }),

  succeed: (payment: Payment, providerReference: string, at: Instant): Payment =>
    changed(requirePending(payment), { status: 'succeeded', providerReference }, at),

  fail: (payment: Payment, failure: Failure, at: Instant): Payment =>
    changed(requirePending(payment), { status: 'failed', failure }, at),

  /** What a payment that succeeded at its provider is known by there. */
  chargeReference: ({ providerReference }: Payment): string => {
    if (providerReference === null) throw new TypeError('Nothing was charged.');
    return providerReference;
  },

  /** What can still be refunded: refunds under way count as done, or two of them could take it twice. */
  left: ({ amount, refunded, refunding }: Payment): Money =>
    Money.minus(Money.minus(amount, refunded), refunding),

  /**
   * @throws DomainError 'invalid-state' unless the payment succeeded, 'amount-exceeded' when less is left,
   *   'validation' when the amount is nothing
   */
  beginRefund: (payment: Payment, amount: Money, at: Instant): Payment => {
    if (payment.status !== 'succeeded' && payment.status !== 'partially_refunded') {
      throw new DomainError('invalid-state', `A payment that is ${payment.status} cannot be refunded.`);
    }
    const left = Payment.left(payment).amount;
    if (amount.amount > left || left === 0) {
      throw new DomainError('amount-exceeded', 'The refunds of a payment cannot exceed it.');
    }
    if (amount.amount === 0) throw invalid('amount.amount', 'must be greater than 0');
    return changed(payment, { refunding: Money.plus(payment.refunding, amount) }, at);
  },

  completeRefund: (payment: Payment, amount: Money, at: Instant): Payment => {
    const refunded = Money.plus(payment.refunded, amount);
    const status = Money.equals(refunded, payment.amount) ? 'refunded' : 'partially_refunded';
    return changed(payment, { refunded, refunding: Money.minus(payment.refunding, amount), status }, at);
  },

  abandonRefund: (payment: Payment, amount: Money, at: Instant): Payment =>
    changed(payment, { refunding: Money.minus(payment.refunding, amount) }, at),
};

const requirePending = (payment: Payment): Payment => {
  if (payment.status !== 'pending') {
    throw new DomainError('invalid-state', `A payment that is ${payment.status} is settled.`);
  }
  return payment;
};
