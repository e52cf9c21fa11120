import { declarations } from '#application/events/declarations.ts';
import type { EventType, SubjectType } from '#domain/event.ts';
import { exampleOf } from '../openapi/schemas.ts';
import { type DataOf, dataSchemaOf } from './event-data.ts';
import { eventView } from './events.ts';

/** How the example of a type differs from that of its resource. A status that the type names is set without it. */
interface Difference<D> {
  /** The fields that the event changed, besides version and time. Absent of a new resource and of a deleted one. */
  readonly changed?: readonly (keyof D & string)[];
  readonly data?: Partial<D>;
}

type DifferenceOf<T extends EventType> = T extends `${infer S extends SubjectType}.${string}`
  ? Difference<DataOf<S>>
  : never;

const nothing = { amount: 0, currency: 'EUR' };
const failure = { code: 'card_declined', message: 'The card was declined.' };
const soon = '2026-03-08T12:00:00.000Z';
const [createdAt, changedAt] = ['2026-03-01T12:00:00.000Z', '2026-03-01T12:05:00.000Z'];
const paidAt = '2026-03-01T12:00:05.000Z';

/** The changes of each type. What is not named here does not compile, so a new type has an example like its events. */
const differences: { readonly [T in EventType]: DifferenceOf<T> } = {
  'product.created': {},
  'product.updated': { changed: ['price'] },
  'product.deleted': {},
  'product.out_of_stock': { changed: ['stock'], data: { stock: 0 } },
  'product.back_in_stock': { changed: ['stock'] },
  'user.created': {},
  'user.updated': { changed: ['name'] },
  'user.deleted': {},
  'user.erased': {
    changed: ['email', 'name', 'status', 'external_id', 'metadata'],
    data: {
      ...{ email: 'erased-019ca945-0a00-704f-a899-6da763b7a969@erased.invalid', name: 'Erased' },
      ...{ external_id: null, metadata: {} },
    },
  },
  'order.created': {},
  'order.updated': { changed: ['note'] },
  'order.paid': { changed: ['status', 'paid_at'], data: { paid_at: changedAt } },
  'order.fulfilled': { changed: ['status'], data: { paid_at: paidAt } },
  'order.canceled': { changed: ['status'] },
  'order.refunded': { changed: ['status'], data: { paid_at: paidAt } },
  'payment.requires_action': {
    changed: ['status', 'provider_reference'],
    data: { captured: nothing, succeeded_at: null, action_expires_at: soon },
  },
  'payment.processing': {
    changed: ['status', 'provider_reference'],
    data: { captured: nothing, succeeded_at: null },
  },
  'payment.authorized': {
    changed: ['status', 'capture_before', 'provider_reference'],
    data: { captured: nothing, succeeded_at: null, capture: 'manual', capture_before: soon },
  },
  'payment.succeeded': { changed: ['captured', 'status', 'succeeded_at', 'provider_reference'] },
  'payment.failed': {
    changed: ['status', 'failure'],
    data: { captured: nothing, succeeded_at: null, provider_reference: null, failure },
  },
  'payment.canceled': { changed: ['status'], data: { captured: nothing, succeeded_at: null } },
  'payment.refunded': {
    changed: ['refunded', 'refunding', 'status'],
    data: { refunded: { amount: 4780, currency: 'EUR' } },
  },
  'payment.updated': { changed: ['metadata'] },
  'refund.pending': { data: { succeeded_at: null, provider_reference: null } },
  'refund.succeeded': { changed: ['status', 'succeeded_at', 'provider_reference'] },
  'refund.failed': {
    changed: ['status', 'failure'],
    data: { succeeded_at: null, provider_reference: null, failure },
  },
  'refund.updated': { changed: ['metadata'] },
  'stock_change.created': {},
  'dispute.created': {},
  'dispute.updated': { changed: ['status'], data: { status: 'under_review' } },
  'dispute.closed': { changed: ['status', 'closed_at'], data: { closed_at: changedAt } },
  'review.created': {},
  'review.updated': { changed: ['rating', 'body'] },
  'review.deleted': {},
  'api_key.created': {},
  'api_key.updated': { changed: ['name'] },
  'api_key.deleted': {},
  'webhook_endpoint.created': {},
  'webhook_endpoint.updated': { changed: ['event_types'] },
  'webhook_endpoint.deleted': {},
  'webhook_endpoint.disabled': {
    changed: ['status', 'disabled_reason'],
    data: { disabled_reason: 'by_hand' },
  },
};

/** The subjects that are an order, or belong to one. */
const subjectsOfOrders: ReadonlySet<SubjectType> = new Set(
  Object.values(declarations).flatMap((declaration) =>
    'subject' in declaration && declaration.belongsTo !== 'nothing' && !('userId' in declaration.belongsTo)
      ? [declaration.subject]
      : [],
  ),
);

/** An example of an event of this type. Its sequence is that of the first event, so it moves no reader on. */
export const exampleEvent = (id: string, type: EventType): object => {
  const [subject, name] = type.split('.') as [SubjectType, string];
  const { changed = [], data: differing } = differences[type] as Difference<object>;
  const { properties = {} } = dataSchemaOf(subject);
  const event = exampleOf(eventView.schema) as { readonly order_id: string };
  const { items, ...resource } = exampleOf(dataSchemaOf(subject)) as {
    readonly id: string;
    readonly items?: unknown;
  };
  const version = changed.length === 0 ? 1 : 2;
  const timestamp = version === 1 && name !== 'deleted' ? createdAt : changedAt;
  const data = {
    ...resource,
    ...(properties['status']?.enum?.includes(name) && { status: name }),
    ...differing,
    ...{ version, updated_at: version === 1 ? createdAt : changedAt },
    ...((type === 'order.created' || changed.some((name) => name === 'items')) && { items }),
  };
  return {
    ...event,
    ...{ id, type, timestamp, created_at: timestamp, updated_at: timestamp },
    subject: { type: subject, id: resource.id, version: name === 'deleted' ? version + 1 : version },
    order_id: subjectsOfOrders.has(subject) ? event.order_id : null,
    changed: changed.length === 0 ? [] : [...changed, 'version', 'updated_at'],
    data,
  };
};
