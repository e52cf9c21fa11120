import { defineEntity, p } from '@mikro-orm/core';
import type { Event, EventType, NewEvent, SubjectType } from '#domain/event.ts';
import type { EventId } from '#domain/event-id.ts';
import type { Instant } from '#domain/instant.ts';
import type { OrderId } from '#domain/order.ts';
import type { Id } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';
import { instant, json, typeName } from './columns.ts';
import { type Row, tableOf } from './table.ts';

/** What an event has before it has its place in the feed. */
const properties = () => ({
  created_at: instant(),
  type: typeName<EventType>(),
  subject_type: typeName<SubjectType>(),
  subject_id: p.uuid().$type<Id>(),
  subject_version: p.integer(),
  order_id: p.uuid().$type<OrderId>().strictNullable(),
  user_id: p.uuid().$type<UserId>().strictNullable(),
  /** A JSON array of names. */
  changed: json(),
  cause: json(),
  data: json().length(2 ** 32 - 1),
});

const tableName = 'events';

/** Most events have no user, and some have no order: a partial index has no entry for them. MariaDB has no partial indexes. */
const byType: { properties: ['type', 'sequence'] } = { properties: ['type', 'sequence'] };
const byOrder: { properties: ['order_id', 'sequence']; where: string } = {
  properties: ['order_id', 'sequence'],
  where: 'order_id is not null',
};
const byUser: { properties: ['user_id', 'sequence']; where: string } = {
  properties: ['user_id', 'sequence'],
  where: 'user_id is not null',
};

/** The feed. An id ends in the sequence, so it needs no index of its own. */
export const EventEntity = defineEntity({
  name: 'Event',
  tableName,
  properties: { sequence: p.bigint('number').primary().autoincrement(false), id: p.uuid(), ...properties() },
  indexes: [byType, byOrder, byUser],
});

/** On SQLite the writing transaction gives the sequence. Without `autoincrement` it would begin again once all rows are gone. */
export const SqliteEventEntity = defineEntity({
  name: 'Event',
  tableName,
  properties: { sequence: p.integer().primary().autoincrement(), id: p.uuid(), ...properties() },
  indexes: [byType, byOrder, byUser],
});

/** On MariaDB the counter of a primary key gives the place. */
export const MariaDbEventQueueEntity = defineEntity({
  name: 'EventQueue',
  tableName: 'event_queue',
  properties: { place: p.bigint('number').primary().autoincrement(), ...properties() },
});

/** Events that the sequencer has not numbered yet, in the order in which transactions have inserted them. */
export const EventQueueEntity = defineEntity({
  name: 'EventQueue',
  tableName: 'event_queue',
  properties: { place: p.bigint('number').primary().generated('identity'), ...properties() },
});

/** One row: which feed this is, and where it ends. */
export const EventFeedEntity = defineEntity({
  name: 'EventFeed',
  tableName: 'event_feed',
  properties: {
    name: p.text().length(64).primary(),
    id: p.uuid(),
    /** On SQLite 0: there `autoincrement` remembers it. */
    last_sequence: p.bigint('number'),
    /** The time in the last id, in milliseconds since 1970: the next id has it or a later one. On SQLite only of deleted events. */
    last_time: p.bigint('number'),
    /** The database in which the row was written; null where that is unknown. A restored one differs. */
    database_identity: p.text().strictNullable(),
  },
});

export const feedName = 'events';

export interface NewEventRow extends Row {
  readonly created_at: Instant;
  readonly type: EventType;
  readonly subject_type: SubjectType;
  readonly subject_id: Id;
  readonly subject_version: number;
  readonly order_id: OrderId | null;
  readonly user_id: UserId | null;
  readonly changed: string;
  readonly cause: string;
  readonly data: string;
}

export interface EventRow extends NewEventRow {
  readonly sequence: number;
  readonly id: EventId;
}

export const events = {
  ...tableOf(EventEntity),

  toRow: (event: NewEvent): NewEventRow => ({
    created_at: event.timestamp,
    type: event.type,
    subject_type: event.subject.type,
    subject_id: event.subject.id,
    subject_version: event.subject.version,
    order_id: event.orderId,
    user_id: event.userId,
    changed: JSON.stringify(event.changed),
    cause: JSON.stringify(event.cause),
    data: JSON.stringify(event.data),
  }),

  fromRow: (row: EventRow): Event => ({
    ...{ id: row.id, version: 1, createdAt: row.created_at, updatedAt: row.created_at },
    sequence: row.sequence,
    type: row.type,
    timestamp: row.created_at,
    subject: { type: row.subject_type, id: row.subject_id, version: row.subject_version },
    orderId: row.order_id,
    userId: row.user_id,
    changed: JSON.parse(row.changed),
    cause: JSON.parse(row.cause),
    data: JSON.parse(row.data),
  }),
};

/** Identified by subject, version and type, because the database gives the place. */
export const eventQueue = {
  name: EventQueueEntity.tableName,
  columns: tableOf(EventQueueEntity).columns.filter((column) => column !== 'place'),
  key: ['subject_id', 'subject_version', 'type'],
  isVersioned: false,
};
