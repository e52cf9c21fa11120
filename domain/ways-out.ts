/*
 * What can be done instead, or what is waited for, when a status does not allow a request. Each text ends a message. The statuses are
 * those of `Order` and `Payment`, which import this.
 */

type OpenPayment = 'pending' | 'requires_action' | 'processing' | 'authorized';
type EndedPayment = 'succeeded' | 'partially_refunded' | 'refunded' | 'failed' | 'canceled';
type PaymentStatus = OpenPayment | EndedPayment;
type OrderStatus = 'pending' | 'paid' | 'fulfilled' | 'canceled' | 'refunded';

const allGivenBack = 'All of its money was given back.';
const payAgain = 'It takes no money any more: pay the order again.';

/** What ends some payment that has not ended. */
export const endOfAnyPayment =
  'It ends when the payer acts or it is canceled (requires_action), when staff capture or cancel it (authorized), and else by itself.';

/** What ends a payment that has not ended. */
const endOfPayment = (status: OpenPayment): string => {
  switch (status) {
    case 'pending':
      return 'Send its request again with the same key, or wait until it is settled.';
    case 'requires_action':
      return 'It ends when the payer acts, when it is canceled, or when the time of the payer is over.';
    case 'processing':
      return 'It ends when the payment provider has decided.';
    case 'authorized':
      return 'It ends when staff capture or cancel it.';
  }
};

/** @param onceSucceeded the way out for a payment whose money is there */
const insteadOfEnding = (status: PaymentStatus, onceSucceeded: string): string => {
  switch (status) {
    case 'succeeded':
    case 'partially_refunded':
      return onceSucceeded;
    case 'refunded':
      return allGivenBack;
    case 'failed':
    case 'canceled':
      return payAgain;
    default:
      return endOfPayment(status);
  }
};

export const insteadOfCapture = (status: PaymentStatus): string =>
  insteadOfEnding(status, 'Its money was captured already: refund it instead.');

export const insteadOfCancellation = (status: PaymentStatus): string =>
  insteadOfEnding(status, 'Refund it instead.');

export const insteadOfRefund = (
  status: Exclude<PaymentStatus, 'succeeded' | 'partially_refunded'>,
): string => {
  switch (status) {
    case 'requires_action':
    case 'authorized':
      return 'Cancel it instead.';
    case 'refunded':
      return allGivenBack;
    case 'failed':
    case 'canceled':
      return 'It has taken no money.';
    default:
      return endOfPayment(status);
  }
};

/** What can be done where an order would have to be pending, so that it is paid or its items and prices change. */
export const insteadOfPending = (status: Exclude<OrderStatus, 'pending'>): string =>
  status === 'paid' || status === 'fulfilled'
    ? 'Staff can refund its payment; place a new order for what else is wanted.'
    : 'Place a new order instead.';

/** What can be done instead of a transition of an order that is not allowed. */
export const insteadOfTransition = (from: OrderStatus, to: OrderStatus): string => {
  if (from === 'paid' && to === 'canceled')
    return 'Refund its payment instead. Staff cancel it only when its money was lost in a dispute.';
  if (from === 'pending') return 'It can be fulfilled once it is paid.';
  if (from === 'fulfilled') return 'That is final. Staff can still refund its payment.';
  return 'That is final. Place a new order instead.';
};
