import type { FeedEvent } from '../client/index.ts';

export interface EventGroup {
  readonly name: FeedEvent['subject']['type'];
  /** For one of them. */
  readonly one: string;
  readonly title: string;
  readonly items: readonly (readonly [type: EventType, label: string])[];
}

type EventType = FeedEvent['type'];

/** The types of events, in the words of a shop, by the resource that they report. */
export const eventGroups: readonly EventGroup[] = [
  {
    name: 'order',
    one: 'Order',
    title: 'Orders',
    items: [
      ['order.created', 'Placed'],
      ['order.updated', 'Changed'],
      ['order.paid', 'Paid'],
      ['order.fulfilled', 'Fulfilled'],
      ['order.canceled', 'Canceled'],
      ['order.refunded', 'Refunded in full'],
    ],
  },
  {
    name: 'payment',
    one: 'Payment',
    title: 'Payments',
    items: [
      ['payment.requires_action', 'The payer has to consent'],
      ['payment.processing', 'The provider is deciding'],
      ['payment.authorized', 'Authorized'],
      ['payment.succeeded', 'Succeeded'],
      ['payment.failed', 'Failed'],
      ['payment.canceled', 'Canceled'],
      ['payment.refunded', 'Refunded in full'],
      ['payment.updated', 'Changed'],
    ],
  },
  {
    name: 'refund',
    one: 'Refund',
    title: 'Refunds',
    items: [
      ['refund.pending', 'Requested'],
      ['refund.succeeded', 'Succeeded'],
      ['refund.failed', 'Failed'],
      ['refund.updated', 'Changed'],
    ],
  },
  {
    name: 'dispute',
    one: 'Dispute',
    title: 'Disputes',
    items: [
      ['dispute.created', 'Opened'],
      ['dispute.updated', 'Changed'],
      ['dispute.closed', 'Closed'],
    ],
  },
  {
    name: 'product',
    one: 'Product',
    title: 'Products',
    items: [
      ['product.created', 'Added'],
      ['product.updated', 'Changed'],
      ['product.deleted', 'Deleted'],
      ['product.out_of_stock', 'Out of stock'],
      ['product.back_in_stock', 'Back in stock'],
    ],
  },
  {
    name: 'stock_change',
    one: 'Stock',
    title: 'Stock',
    items: [['stock_change.created', 'Counted, received or written off']],
  },
  {
    name: 'user',
    one: 'Person',
    title: 'Customers and staff',
    items: [
      ['user.created', 'Added'],
      ['user.updated', 'Changed'],
      ['user.deleted', 'Deleted'],
      ['user.erased', 'Personal data erased'],
    ],
  },
  {
    name: 'review',
    one: 'Review',
    title: 'Reviews',
    items: [
      ['review.created', 'Written'],
      ['review.updated', 'Changed'],
      ['review.deleted', 'Deleted'],
    ],
  },
  {
    name: 'api_key',
    one: 'Key',
    title: 'Keys',
    items: [
      ['api_key.created', 'Created'],
      ['api_key.updated', 'Changed'],
      ['api_key.deleted', 'Revoked'],
    ],
  },
  {
    name: 'webhook_endpoint',
    one: 'Webhook',
    title: 'Webhooks',
    items: [
      ['webhook_endpoint.created', 'Added'],
      ['webhook_endpoint.updated', 'Changed'],
      ['webhook_endpoint.deleted', 'Deleted'],
      ['webhook_endpoint.disabled', 'Switched off by Portico'],
    ],
  },
];

/** `order.paid` is `Order: paid`. A type that is new to this page is shown as it is. */
export const eventLabel = (type: string): string => {
  for (const { one, items } of eventGroups) {
    const item = items.find(([value]) => value === type);
    if (item !== undefined) return `${one}: ${item[1].charAt(0).toLowerCase()}${item[1].slice(1)}`;
  }
  return type;
};

/** What an endpoint gets, in a few words: `Orders · Payment: succeeded`. */
export const patternsLabel = (patterns: readonly string[]): string =>
  patterns.includes('*') ? 'Everything' : patterns.map(patternLabel).join(' · ');

const patternLabel = (pattern: string): string =>
  eventGroups.find(({ name }) => pattern === `${name}.*`)?.title ?? eventLabel(pattern);
