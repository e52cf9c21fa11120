import type { ProviderObject } from '#application/ports/charge-lifecycle.ts';

/** The types of events about money, and the kind of object of each. https://docs.stripe.com/api/events/types */
const kinds: ReadonlyMap<string, ProviderObject['kind']> = new Map<string, ProviderObject['kind']>([
  ['payment_intent.amount_capturable_updated', 'charge'],
  ['payment_intent.canceled', 'charge'],
  ['payment_intent.payment_failed', 'charge'],
  ['payment_intent.processing', 'charge'],
  ['payment_intent.succeeded', 'charge'],
  ['refund.created', 'refund'],
  ['refund.failed', 'refund'],
  ['refund.updated', 'refund'],
  ['charge.dispute.closed', 'dispute'],
  ['charge.dispute.created', 'dispute'],
  ['charge.dispute.funds_reinstated', 'dispute'],
  ['charge.dispute.funds_withdrawn', 'dispute'],
  ['charge.dispute.updated', 'dispute'],
]);

/** The types of events that a webhook endpoint needs, and that are read from Stripe's list: at most 20. */
export const eventTypes: readonly string[] = [...kinds.keys()];

/** The ids of Stripe, so that one in a request never becomes another path of the API. */
const idPattern = /^[a-z]{2,8}_\w{1,240}$/;

export const isStripeId = (id: string): boolean => idPattern.test(id);

/**
 * The object that an event names.
 * @param type of a snapshot event, or of a thin one, which begins with `v1.`
 * @param id of the object that the event is about
 * @returns undefined for an event that is not about money
 */
export const providerObjectOf = (type: string, id: string): ProviderObject | undefined => {
  const kind = kinds.get(type.replace(/^v1\./, ''));
  return kind !== undefined && isStripeId(id) ? { kind, reference: id } : undefined;
};
