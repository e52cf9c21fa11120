import { DomainError, invalidField } from './errors.ts';
import type { Instant } from './instant.ts';
import { Metadata, type MetadataPatch } from './metadata.ts';
import { Money } from './money.ts';
import type { Order, OrderId } from './order.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';
import { text } from './text.ts';
import { returnUrl } from './urls.ts';
import type { UserId } from './user.ts';
import { insteadOfCancellation, insteadOfCapture, insteadOfRefund } from './ways-out.ts';

export type PaymentId = Id<'payment'>;

/** The states of a payment, as the API, the tables and the admin page have them. `ways-out.ts` has what ends each. */
export const paymentStatuses = [
  'pending',
  'requires_action',
  'processing',
  'authorized',
  'succeeded',
  'failed',
  'canceled',
  'partially_refunded',
  'refunded',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** When the money of a payment is captured: at once, or by a capture after it was authorized. */
export const captureMethods = ['automatic', 'manual'] as const;
export type CaptureMethod = (typeof captureMethods)[number];

/** Statuses of a payment that was paid, whatever was refunded since. */
const paidStatuses: ReadonlySet<PaymentStatus> = new Set(['succeeded', 'partially_refunded', 'refunded']);

/** Statuses in which the provider has not decided yet. */
const undecidedStatuses: ReadonlySet<PaymentStatus> = new Set(['pending', 'requires_action', 'processing']);

/** Why the provider declined, in its own terms. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** The payment method, and the provider, of a payment that the shop collects itself: in cash or by bank transfer. */
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
  /** The sum of the disputes that need a response, are under review or lost. */
  readonly disputed: Money;
  /** What a capture of less than the amount has given back to the payer. */
  readonly released: Money;
  readonly status: PaymentStatus;
  /** When its money was captured. Null before, and of payments from before there was this field. */
  readonly succeededAt: Instant | null;
  readonly captureMethod: CaptureMethod;
  /** Until when the payer can act. Null when the payer is not present. */
  readonly actionExpiresAt: Instant | null;
  /** Until when an authorized payment can be captured. Null before, and when it is captured at once. */
  readonly captureBefore: Instant | null;
  readonly provider: string;
  readonly providerReference: string | null;
  readonly failure: Failure | null;
  readonly metadata: Metadata;
}

export const Payment = {
  rules: { paymentMethod: text(1, 255), reference: text(0, 200), returnUrl },

  /**
   * Begins the payment of an order on which `Order.beginPayment` was called. A payment of 0 succeeds at once, without a
   * call to the provider.
   * @param actionExpiresAt until when the payer can act; null when the payer is not present
   */
  begin: (
    id: PaymentId,
    order: Order,
    provider: string,
    at: Instant,
    actionExpiresAt: Instant | null = null,
    captureMethod: CaptureMethod = 'automatic',
  ): Payment => ({
    ...newResource(id, at),
    orderId: order.id,
    userId: order.userId,
    amount: order.total,
    refunded: Money.zero(order.total.currency),
    refunding: Money.zero(order.total.currency),
    disputed: Money.zero(order.total.currency),
    released: Money.zero(order.total.currency),
    status: order.total.amount === 0 ? 'succeeded' : 'pending',
    succeededAt: order.total.amount === 0 ? at : null,
    // Of nothing there is nothing to capture.
    captureMethod: order.total.amount === 0 ? 'automatic' : captureMethod,
    actionExpiresAt: order.total.amount === 0 ? null : actionExpiresAt,
    captureBefore: null,
    provider,
    providerReference: null,
    failure: null,
    metadata: Metadata.none,
  }),

  /**
   * Records the payment that the shop has collected itself of an order on which `Order.beginPayment` was called.
   * @param reference the shop's own, such as the number of a receipt
   */
  receiveOffline: (id: PaymentId, order: Order, reference: string | null, at: Instant): Payment => ({
    ...Payment.begin(id, order, offline, at),
    ...{ status: 'succeeded', succeededAt: at },
    providerReference: reference,
  }),

  /** The payer has to act at the provider, as for strong customer authentication (3-D Secure). */
  awaitPayer: (payment: Payment, providerReference: string, at: Instant): Payment =>
    updated(requireStatus(payment, 'pending'), { status: 'requires_action', providerReference }, at),

  /** The provider decides later, and the payer can do nothing more. */
  awaitProvider: (payment: Payment, providerReference: string, at: Instant): Payment =>
    updated(
      requireStatus(payment, 'pending', 'requires_action'),
      { status: 'processing', providerReference },
      at,
    ),

  /** Authorization: the provider holds the money until it is captured. @param captureBefore until when */
  authorize: (payment: Payment, providerReference: string, captureBefore: Instant, at: Instant): Payment =>
    updated(
      Payment.requireUndecided(payment),
      { status: 'authorized', providerReference, captureBefore },
      at,
    ),

  /**
   * Checks what is to be captured, before the provider is asked.
   * @throws DomainError 'invalid-state' unless the payment is authorized, 'validation' for another currency and for nothing,
   *   'amount-exceeded' for more than was authorized
   */
  requireCapturable: (payment: Payment, wanted: Money): void => {
    const { status } = payment;
    if (status !== 'authorized')
      throw new DomainError(
        'invalid-state',
        `A payment that is ${status} cannot be captured. ${insteadOfCapture(status)}`,
      );
    const { amount, currency } = payment.amount;
    if (wanted.currency !== currency)
      throw invalidField('amount.currency', `must be ${currency}, the payment's currency`);
    if (wanted.amount === 0) throw invalidField('amount.amount', 'must be greater than 0');
    if (wanted.amount > amount)
      throw new DomainError(
        'amount-exceeded',
        `The amount exceeds what was authorized: ${amount} ${currency}.`,
      );
  },

  /** The provider has captured a part of what was authorized, or all of it. The rest is released to the payer. */
  capture: (payment: Payment, captured: Money, at: Instant): Payment =>
    updated(
      requireStatus(payment, 'authorized'),
      { status: 'succeeded', succeededAt: at, released: Money.minus(payment.amount, captured) },
      at,
    ),

  /** @param captured what the provider has captured, which is less than the amount after the capture of a part */
  succeed: (
    payment: Payment,
    providerReference: string,
    at: Instant,
    captured: Money = payment.amount,
  ): Payment =>
    updated(
      Payment.requireUndecided(payment),
      {
        ...{ status: 'succeeded', succeededAt: at, providerReference },
        released: Money.minus(payment.amount, captured),
      },
      at,
    ),

  fail: (payment: Payment, failure: Failure, at: Instant): Payment =>
    updated(Payment.requireUndecided(payment), { status: 'failed', failure }, at),

  /**
   * Ends a payment that will never be captured, as the provider has reported.
   * @param failure why it has ended by itself; null when a client gave it up
   */
  cancel: (payment: Payment, failure: Failure | null, at: Instant): Payment =>
    updated(requireStatus(payment, 'requires_action', 'authorized'), { status: 'canceled', failure }, at),

  /** @throws DomainError 'invalid-state' unless the payment can be given up */
  requireCancelable: (payment: Payment): Payment => {
    if (Payment.isCancelable(payment)) return payment;
    const { status } = payment;
    const message = `A payment that is ${status} cannot be canceled. ${insteadOfCancellation(status)}`;
    throw new DomainError('invalid-state', message);
  },

  /** Whether the payment can be given up: it waits for its payer, or for its capture. */
  isCancelable: ({ status }: Payment): boolean => status === 'requires_action' || status === 'authorized',

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

  /** Whether the order is paid by the payment, or may be, so that it accepts no other. */
  isLive: ({ status }: Payment): boolean => status !== 'failed' && status !== 'canceled',

  /** What was captured from the payer: nothing before the payment has succeeded. */
  captured: ({ status, amount, released }: Payment): Money =>
    paidStatuses.has(status) ? Money.minus(amount, released) : Money.zero(amount.currency),

  /**
   * What can still be refunded, at least 0. Pending refunds are deducted, because otherwise two of them could refund the same money, and
   * disputes, because the provider has withdrawn their money already.
   */
  refundable: (payment: Payment): Money => {
    const { amount, currency } = Payment.captured(payment);
    const gone = payment.refunded.amount + payment.refunding.amount + payment.disputed.amount;
    return { amount: Math.max(0, amount - gone), currency };
  },

  /** Whether everything that was captured is refunded once the pending refunds have succeeded. */
  isBeingRefunded: (payment: Payment): boolean =>
    payment.refunding.amount > 0 &&
    payment.refunded.amount + payment.refunding.amount >= Payment.captured(payment).amount,

  /** What is refunded, and what the pending refunds refund: what a client has seen when it asks for another refund. */
  refundedOrRefunding: ({ refunded, refunding }: Payment): Money => Money.plus(refunded, refunding),

  /**
   * Compares what a client has seen of a payment with what it is now, so that two who have seen the same do not refund it twice.
   * @param expected the sum of `refunded` and `refunding` that the client has seen
   * @throws DomainError 'validation' for another currency, 'conflict' for another sum
   */
  requireRefunded: (payment: Payment, expected: Money): void => {
    const { amount, currency } = Payment.refundedOrRefunding(payment);
    if (expected.currency !== currency)
      throw invalidField('expectedRefunded.currency', `must be ${currency}, the payment's currency`);
    if (expected.amount === amount) return;
    throw new DomainError(
      'conflict',
      `Of the payment ${amount} in the minor unit of ${currency} is refunded or being refunded by now, which is not what was expected.`,
      [{ field: 'expectedRefunded', message: `is not what refunded and refunding add up to: ${amount}` }],
    );
  },

  /**
   * Begins a refund. Only a payment of 0 is refunded by an amount of 0.
   * @throws DomainError 'invalid-state' unless the payment succeeded, 'amount-exceeded' when less can be refunded,
   *   'validation' when the amount is 0
   */
  beginRefund: (payment: Payment, amount: Money, at: Instant): Payment => {
    const { status } = payment;
    if (status !== 'succeeded' && status !== 'partially_refunded') {
      const message = `A payment that is ${status} cannot be refunded. ${insteadOfRefund(status)}`;
      throw new DomainError('invalid-state', message);
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
    const status = statusAfter(payment, refunded);
    return updated(payment, { refunded, refunding: Money.minus(payment.refunding, amount), status }, at);
  },

  /** Adds a refund that was begun at the provider, where nothing here can reject it. */
  followRefund: (payment: Payment, amount: Money, at: Instant): Payment =>
    updated(payment, { refunding: Money.plus(payment.refunding, amount) }, at),

  /** Reverts a refund that had succeeded, and has failed at the provider since. */
  revertRefund: (payment: Payment, amount: Money, at: Instant): Payment => {
    const refunded = Money.minus(payment.refunded, amount);
    return updated(payment, { refunded, status: statusAfter(payment, refunded) }, at);
  },

  /** @param disputed the sum of the disputes that need a response, are under review or lost */
  dispute: (payment: Payment, disputed: Money, at: Instant): Payment => updated(payment, { disputed }, at),

  /** Whether the payment has succeeded, whatever was refunded since. */
  isPaid: ({ status }: Pick<Payment, 'status'>): boolean => paidStatuses.has(status),

  abandonRefund: (payment: Payment, amount: Money, at: Instant): Payment =>
    updated(payment, { refunding: Money.minus(payment.refunding, amount) }, at),

  /** @throws DomainError 'validation' when the merged metadata are not valid */
  changeMetadata: (payment: Payment, metadata: MetadataPatch, at: Instant): Payment =>
    updated(payment, { metadata: Metadata.merge(payment.metadata, metadata) }, at),

  /** Whether the provider has not decided yet. */
  isUndecided: ({ status }: Payment): boolean => undecidedStatuses.has(status),

  /** @throws DomainError 'invalid-state' */
  requireUndecided: (payment: Payment): Payment => {
    if (!Payment.isUndecided(payment)) {
      throw new DomainError('invalid-state', `The payment is already settled: it is ${payment.status}.`);
    }
    return payment;
  },
};

/** The status of a payment that has succeeded. One of 0 is refunded by a refund of 0. */
const statusAfter = (payment: Payment, { amount: refunded }: Money): PaymentStatus => {
  if (refunded >= Payment.captured(payment).amount) return 'refunded';
  return refunded === 0 ? 'succeeded' : 'partially_refunded';
};

const requireStatus = (payment: Payment, ...expected: readonly PaymentStatus[]): Payment => {
  if (!expected.includes(payment.status)) {
    const wanted = expected.join(' or ');
    throw new DomainError('invalid-state', `The payment is ${payment.status}. This requires ${wanted}.`);
  }
  return payment;
};
