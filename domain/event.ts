import type { EventId } from './event-id.ts';
import type { Instant } from './instant.ts';
import type { OrderId } from './order.ts';
import type { Id, Resource } from './resource.ts';
import type { UserId } from './user.ts';

/** All types, as clients have them: the subject of an event, and what happened to it. */
export const eventTypes = [
  ...(['product.created', 'product.updated', 'product.deleted'] as const),
  ...(['product.out_of_stock', 'product.back_in_stock'] as const),
  ...(['user.created', 'user.updated', 'user.deleted', 'user.erased'] as const),
  ...(['order.created', 'order.updated', 'order.paid'] as const),
  ...(['order.fulfilled', 'order.canceled', 'order.refunded'] as const),
  ...(['payment.requires_action', 'payment.processing', 'payment.authorized'] as const),
  ...(['payment.succeeded', 'payment.failed', 'payment.canceled'] as const),
  ...(['payment.refunded', 'payment.updated'] as const),
  ...(['refund.pending', 'refund.succeeded', 'refund.failed', 'refund.updated'] as const),
  'stock_change.created',
  ...(['dispute.created', 'dispute.updated', 'dispute.closed'] as const),
  ...(['review.created', 'review.updated', 'review.deleted'] as const),
  ...(['api_key.created', 'api_key.updated', 'api_key.deleted'] as const),
  ...(['webhook_endpoint.created', 'webhook_endpoint.updated'] as const),
  ...(['webhook_endpoint.deleted', 'webhook_endpoint.disabled'] as const),
] as const;
export type EventType = (typeof eventTypes)[number];

/** The subjects of events. */
export type SubjectType = EventType extends `${infer S}.${string}` ? S : never;
/** What can happen to a subject, such as `paid` to an order. */
export type EventName<S extends SubjectType> =
  Extract<EventType, `${S}.${string}`> extends `${S}.${infer N}` ? N : never;

const subjectOf = (type: EventType): SubjectType => type.slice(0, type.indexOf('.')) as SubjectType;

/** All subjects of events. */
export const subjectTypes: readonly SubjectType[] = [...new Set(eventTypes.map(subjectOf))];

const knownTypes: ReadonlySet<string> = new Set(eventTypes);

/**
 * Whether this release knows the type of an event. A later release may have stored another one: it runs beside this one during a
 * deploy, or has run before this one came back.
 */
export const isKnownEvent = ({ type, subject }: Pick<NewEvent, 'type' | 'subject'>): boolean =>
  knownTypes.has(type) && subjectOf(type) === subject.type;

/** All types of one subject. */
type SubjectPattern = `${SubjectType}.*`;

/** Matches one type of event, or all of one subject: `order.*`. */
export type EventTypePattern = EventType | SubjectPattern;

/** Everything that a pattern can be. */
export const eventTypePatterns: readonly EventTypePattern[] = [
  ...eventTypes,
  ...subjectTypes.map((subject): SubjectPattern => `${subject}.*`),
];

/** The types that a pattern matches. */
export const typesMatching = (pattern: EventTypePattern): readonly EventType[] =>
  eventTypes.filter((type) => type === pattern || pattern === `${subjectOf(type)}.*`);

/** Who or what made a change. */
export const causeKinds = ['request', 'housekeeping', 'provider', 'command'] as const;
export type CauseKind = (typeof causeKinds)[number];

export interface Cause {
  readonly kind: CauseKind;
  /** The request that made the change. Null where there was none. */
  readonly requestId: string | null;
  /** The user whose request it was. */
  readonly userId: UserId | null;
  readonly idempotencyKey: string | null;
}

/** An event before it has its place in the feed. What a later release has stored may have other types, causes and data. */
export interface NewEvent {
  readonly type: EventType;
  /** When the change was made. */
  readonly timestamp: Instant;
  readonly subject: { readonly type: SubjectType; readonly id: Id; readonly version: number };
  /** The order that the subject is or belongs to. */
  readonly orderId: OrderId | null;
  /**
   * Where it belongs to no order: the user whom `data` is about or, if it is about none, whose request is the `cause`. An erasure finds
   * the event by it.
   */
  readonly userId: UserId | null;
  /** The names of the top-level fields, as clients see them, that differ from the version before. None of a new subject. */
  readonly changed: readonly string[];
  readonly cause: Cause;
  /** The subject at that version; of a deleted one its last version. */
  readonly data: Resource;
}

/** States that one resource reached one version. It never changes, except that an erasure replaces personal data in it. */
export interface Event extends NewEvent, Resource<EventId> {
  /** The place in the feed: from 1 on, without gaps. Ids ascend with it. */
  readonly sequence: number;
}
