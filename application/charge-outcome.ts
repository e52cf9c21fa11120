import { Instant } from '#domain/instant.ts';
import { Order } from '#domain/order.ts';
import { type Failure, Payment } from '#domain/payment.ts';
import type { ChargeState } from './ports/charge.ts';

/** How long an authorized charge can be captured when its provider does not say, in milliseconds: seven days. */
const defaultCapturePeriodMs = 7 * 24 * 3_600_000;

/** A charge that was canceled before the payer or the shop could decide anything. */
const canceledAtProvider = { code: 'canceled', message: 'The charge was canceled at the provider.' };

/**
 * The payment after its provider has told what became of its charge. A payment that has been decided stays as it is, and so does
 * one of which the provider tells nothing new. An authorized one changes when it is captured, at the provider too, or canceled.
 * @param reason why a payment that is canceled has ended by itself; null when a client gave it up
 */
export const paymentAfter = (
  payment: Payment,
  state: ChargeState,
  at: Instant,
  reason: Failure | null = null,
): Payment => {
  if ('canceled' in state) {
    if (payment.status === 'requires_action' || payment.status === 'authorized')
      return Payment.cancel(payment, reason, at);
    return Payment.isUndecided(payment) ? Payment.fail(payment, canceledAtProvider, at) : payment;
  }
  // It was captured at the provider.
  if (payment.status === 'authorized' && 'reference' in state && !('waitsFor' in state))
    return Payment.capture(payment, state.amount ?? payment.amount, at);
  if (!Payment.isUndecided(payment)) return payment;
  if ('declined' in state) return Payment.fail(payment, state.declined, at);
  if (!('waitsFor' in state)) return Payment.succeed(payment, state.reference, at);
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

/** The order after a change of its payment. It stays locked while the payment can still take money. */
export const orderAfterPayment = (order: Order, payment: Payment, at: Instant): Order => {
  if (!Payment.isLive(payment)) return Order.abandonPayment(order, at);
  return payment.status === 'succeeded' ? Order.completePayment(order, at) : order;
};
