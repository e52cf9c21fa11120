import type { Dispute, Order } from '../../resources.ts';
import type { Context } from '../../view.ts';

/* Disputes of an order, and whether its money was lost in one. */

/** The disputes of an order, which only staff with the right to payments read. None of an order whose payments have none. */
export const disputesOf = async (
  { api, signal }: Context,
  { id, expanded: { payments = [] } = {} }: Order,
): Promise<readonly Dispute[]> => {
  if (payments.every(({ disputed }) => disputed.amount === 0)) return [];
  const { data } = await api.send('GET /disputes', { query: { order_id: id, limit: 100 }, signal });
  return data;
};

const isOpen = ({ status }: Dispute): boolean => status === 'needs_response' || status === 'under_review';

/** Whether the money of an order that is to be packed was lost, in whole or in part. */
export const isLost = (order: Order, disputes: readonly Dispute[]): boolean =>
  order.status === 'paid' && disputes.some(({ status }) => status === 'lost');

/** Why the API does not let a lost order be canceled yet. @returns undefined when it does */
export const whyNotYet = (
  { expanded: { payments = [] } = {} }: Order,
  disputes: readonly Dispute[],
): string | undefined => {
  if (disputes.some(isOpen)) return 'It can be canceled once its other dispute is decided.';
  if (payments.some(({ refunding }) => refunding.amount > 0))
    return 'It can be canceled once its refund has ended.';
  return undefined;
};
