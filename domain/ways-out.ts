import type { OrderStatus } from './order.ts';
import type { PaymentStatus } from './payment.ts';

/** What can be done instead, or what is waited for, when a status does not allow a request. Each text ends a message. */

const payAgain = 'It takes no money any more: pay the order again.';
const allGivenBack = 'All of its money was given back.';

/** What ends a payment that has not ended. */
const endOfPayment = {
  pending: 'Send its request again with the same key, or wait until it is settled.',
  requires_action: 'It ends when the payer acts, when it is canceled, or when the time of the payer is over.',
  processing: 'It ends when the payment provider has decided.',
  authorized: 'It ends when staff capture or cancel it.',
} as const;

/** What ends some payment that has not ended. */
export const endOfAnyPayment =
  'It ends when the payer acts or it is canceled (requires_action), when staff capture or cancel it (authorized), and else by itself.';

const cancelInstead = 'Cancel it instead.';
const captured = 'Its money was captured already: refund it instead.';

export const insteadOfCapture: Readonly<Record<PaymentStatus, string>> = {
  ...endOfPayment,
  succeeded: captured,
  partially_refunded: captured,
  refunded: allGivenBack,
  failed: payAgain,
  canceled: payAgain,
};

export const insteadOfCancellation: Readonly<Record<PaymentStatus, string>> = {
  ...endOfPayment,
  succeeded: 'Refund it instead.',
  partially_refunded: 'Refund it instead.',
  refunded: allGivenBack,
  failed: payAgain,
  canceled: payAgain,
};

export const insteadOfRefund: Readonly<Record<PaymentStatus, string>> = {
  ...endOfPayment,
  requires_action: cancelInstead,
  authorized: cancelInstead,
  succeeded: '',
  partially_refunded: '',
  refunded: allGivenBack,
  failed: 'It has taken no money.',
  canceled: 'It has taken no money.',
};

/** What can be done where an order would have to be pending, so that it is paid or its items and prices change. */
export const insteadOfPending: Readonly<Record<OrderStatus, string>> = {
  pending: '',
  paid: 'Staff can refund its payment; place a new order for what else is wanted.',
  fulfilled: 'Staff can refund its payment; place a new order for what else is wanted.',
  canceled: 'Place a new order instead.',
  refunded: 'Place a new order instead.',
};

/** What can be done instead of a transition of an order that is not allowed. */
export const insteadOfTransition = (from: OrderStatus, to: OrderStatus): string => {
  if (from === 'paid' && to === 'canceled')
    return 'Refund its payment instead. Staff cancel it only when its money was lost in a dispute.';
  if (from === 'pending') return 'It can be fulfilled once it is paid.';
  if (from === 'fulfilled') return 'That is final. Staff can still refund its payment.';
  return 'That is final. Place a new order instead.';
};
