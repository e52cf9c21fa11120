import { DomainError, invalidField } from './errors.ts';
import type { Instant } from './instant.ts';
import { Metadata, type MetadataPatch } from './metadata.ts';
import { Money } from './money.ts';
import type { Order, OrderId } from './order.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';
import { text } from './text.ts';
import type { UserId } from './user.ts';

export type PaymentId = Id<'payment'>;

export const paymentStatuses = ['pending', 'succeeded', 'failed', 'partially_refunded', 'refunded'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** Why the provider declined, in its own terms. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** The payment method, and the provider, of a payment that the shop takes itself: in cash or by bank transfer. */
export const offline = 'offline';

/** The full payment of one order. The payer's card or token is never stored. */
export interface Payment extends Resource<PaymentId> {
  readonly orderId: OrderId;
  /** The order's owner. */
  readonly userId: UserId;
  readonly amount: Money;
  /** The sum of the succeeded refunds. */
  readonly refunded: Money;
  /** The sum of the pending refunds. */
  readonly refunding: Money;
  readonly status: PaymentStatus;
  readonly provider: string;
  readonly providerReference: string | null;
  readonly failure: Failure | null;
  readonly metadata: Metadata;
}

export const Payment = {
  rules: { paymentMethod: text(1, 255), reference: text(0, 200) },

  /** @returns what is wrong with a reference that a client gives, as a message for it; undefined when it fits the method */
  misplacedReference: (paymentMethod: string, reference: string | undefined): string | undefined =>
    reference === undefined || paymentMethod === offline
      ? undefined
      : `is only for the payment method ${offline}`,

  /**
   * Begins the payment of an order on which `Order.beginPayment` was called. A payment of 0 succeeds at once, without a
   * call to the provider.
   */
  begin: (id: PaymentId, order: Order, provider: string, at: Instant): Payment => ({
    ...newResource(id, at),
    orderId: order.id,
    userId: order.userId,
    amount: order.total,
    refunded: Money.zero(order.total.currency),
    refunding: Money.zero(order.total.currency),
    status: order.total.amount === 0 ? 'succeeded' : 'pending',
    provider,
    providerReference: null,
    failure: null,
    metadata: Metadata.none,
  }),

  /**
   * Records the payment that the shop has taken itself of an order on which `Order.beginPayment` was called.
   * @param reference the shop's own, such as the number of a receipt
   */
  takeOffline: (id: PaymentId, order: Order, reference: string | null, at: Instant): Payment => ({
    ...Payment.begin(id, order, offline, at),
    status: 'succeeded',
    providerReference: reference,
  }),

  succeed: (payment: Payment, providerReference: string, at: Instant): Payment =>
    updated(Payment.requirePending(payment), { status: 'succeeded', providerReference }, at),

  fail: (payment: Payment, failure: Failure, at: Instant): Payment =>
    updated(Payment.requirePending(payment), { status: 'failed', failure }, at),

  /**
   * The provider's reference of a succeeded charge.
   * @returns null when no provider was asked: the payment is offline, or of 0
   * @throws TypeError when the charge did not succeed
   */
  chargeReference: ({ id, amount, provider, providerReference }: Payment): string | null => {
    if (provider === offline || amount.amount === 0) return null;
    if (providerReference === null)
      throw new TypeError(`The payment ${id} has no charge that could be refunded.`);
    return providerReference;
  },

  /** What is left to refund. Pending refunds are deducted, because otherwise two of them could refund the same money. */
  refundable: ({ amount, refunded, refunding }: Payment): Money =>
    Money.minus(Money.minus(amount, refunded), refunding),

  /**
   * Begins a refund. Only a payment of 0 is refunded by an amount of 0.
   * @throws DomainError 'invalid-state' unless the payment succeeded, 'amount-exceeded' when less is left,
   *   'validation' when the amount is 0
   */
  beginRefund: (payment: Payment, amount: Money, at: Instant): Payment => {
    if (payment.status !== 'succeeded' && payment.status !== 'partially_refunded') {
      throw new DomainError('invalid-state', `A payment that is ${payment.status} cannot be refunded.`);
    }
    const { amount: refundable, currency } = Payment.refundable(payment);
    const isFree = payment.amount.amount === 0;
    if (amount.amount > refundable || (refundable === 0 && !isFree)) {
      throw new DomainError(
        'amount-exceeded',
        `The amount exceeds what is left to refund of the payment, which is ${refundable} in the minor unit of ${currency}.`,
      );
    }
    if (amount.amount === 0 && !isFree) throw invalidField('amount.amount', 'must be greater than 0');
    return updated(payment, { refunding: Money.plus(payment.refunding, amount) }, at);
  },

  completeRefund: (payment: Payment, amount: Money, at: Instant): Payment => {
    const refunded = Money.plus(payment.refunded, amount);
    const status = Money.equals(refunded, payment.amount) ? 'refunded' : 'partially_refunded';
    return updated(payment, { refunded, refunding: Money.minus(payment.refunding, amount), status }, at);
  },

  abandonRefund: (payment: Payment, amount: Money, at: Instant): Payment =>
    updated(payment, { refunding: Money.minus(payment.refunding, amount) }, at),

  /** @throws DomainError 'validation' when the merged metadata are not valid */
  changeMetadata: (payment: Payment, metadata: MetadataPatch, at: Instant): Payment =>
    updated(payment, { metadata: Metadata.merge(payment.metadata, metadata) }, at),

  /** @throws DomainError 'invalid-state' */
  requirePending: (payment: Payment): Payment => {
    if (payment.status !== 'pending') {
      throw new DomainError('invalid-state', `The payment is already settled: it is ${payment.status}.`);
    }
    return payment;
  },
};
