import { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import { Order } from '#domain/order.ts';
import { type Failure, Payment } from '#domain/payment.ts';
import type { ChargeState, OpenCharge } from '../ports/charge.ts';

/** How long an authorized charge can be captured when its provider does not report it, in milliseconds: seven days. */
const defaultCapturePeriodMs = 7 * 24 * 3_600_000;

/** A charge that was canceled before the payer or the shop could decide anything. */
const canceledAtProvider = { code: 'canceled', message: 'The charge was canceled at the provider.' };

/** Why a payment that waits for its payer, or for its capture, is canceled when its time is over. */
export const expiries = {
  action: { code: 'action_expired', message: 'The payer did not act in time.' },
  authorization: { code: 'authorization_expired', message: 'The payment was not captured in time.' },
} as const satisfies Readonly<Record<string, Failure>>;

/**
 * Why a payment was canceled at the provider, which was not asked to: its time was over, whether the provider or Portico has noticed first.
 * @returns null when it was given up there, as in the dashboard
 */
export const expiryOf = (payment: Payment, state: ChargeState, at: Instant): Failure | null => {
  const { status, actionExpiresAt, captureBefore } = payment;
  if (!('canceled' in state) || (status !== 'requires_action' && status !== 'authorized')) return null;
  const isHeld = status === 'authorized';
  const until = isHeld ? captureBefore : actionExpiresAt;
  if (state.expired !== true && (until === null || until > at)) return null;
  return isHeld ? expiries.authorization : expiries.action;
};

/**
 * The payment after its provider has reported what became of its charge. A payment that has been decided stays as it is, and so does
 * one of which the provider reports nothing new. An authorized one changes when it is captured, at the provider too, or captures no money any
 * more.
 * @param reason why a payment that is canceled has ended by itself; null when it was given up, by a client or at the provider
 */
export const paymentAfter = (
  payment: Payment,
  state: ChargeState,
  at: Instant,
  reason: Failure | null = null,
): Payment => {
  const capturesNothing = 'canceled' in state || 'declined' in state;
  if (payment.status === 'authorized') {
    if (capturesNothing) return Payment.cancel(payment, reason, at);
    return 'waitsFor' in state ? payment : Payment.capture(payment, capturedBy(payment, state), at);
  }
  if (!Payment.isUndecided(payment)) return payment;
  if ('canceled' in state)
    return payment.status === 'requires_action'
      ? Payment.cancel(payment, reason, at)
      : Payment.fail(payment, canceledAtProvider, at);
  if ('declined' in state) return Payment.fail(payment, state.declined, at);
  if ('waitsFor' in state) return waiting(payment, state, at);
  return Payment.succeed(payment, state.reference, at, capturedBy(payment, state));
};

const waiting = (payment: Payment, state: OpenCharge, at: Instant): Payment => {
  switch (state.waitsFor) {
    case 'payer':
      return payment.status === 'pending' ? Payment.awaitPayer(payment, state.reference, at) : payment;
    case 'provider':
      return payment.status === 'processing' ? payment : Payment.awaitProvider(payment, state.reference, at);
    case 'capture':
      return Payment.authorize(
        payment,
        state.reference,
        state.captureBefore ?? Instant.plus(payment.createdAt, defaultCapturePeriodMs),
        at,
      );
  }
};

/** What was captured: all of it, unless the payment is captured later and the provider reports a part. */
const capturedBy = ({ amount, captureMethod }: Payment, state: { readonly amount?: Money }): Money =>
  captureMethod === 'manual' ? (state.amount ?? amount) : amount;

/**
 * The order after a change of its payment. It stays locked while the payment can still receive money.
 * @param lifetimeMs how long an order waits to be paid, in milliseconds; 0 means forever
 */
export const orderAfterPayment = (order: Order, payment: Payment, at: Instant, lifetimeMs = 0): Order => {
  if (!Payment.isLive(payment)) return Order.abandonPayment(order, at, lifetimeMs);
  return payment.status === 'succeeded' ? Order.completePayment(order, at) : order;
};
