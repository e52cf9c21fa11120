import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { EventType } from '#domain/event.ts';
import type { EventId } from '#domain/event-id.ts';
import type { WebhookOrdering } from '#domain/webhooks/attempts.ts';
import {
  type WebhookDeliveryId,
  type WebhookDeliveryStatus,
  type WebhookTrigger,
  webhookDeliveryStatuses,
} from '#domain/webhooks/delivery.ts';
import type {
  WebhookDisabledReason,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookPayload,
} from '#domain/webhooks/endpoint.ts';
import { choice, instant, json, resource, resourceOfRow, rowOfResource, typeName } from './columns.ts';
import { type Table, tableOf } from './table.ts';

const WebhookEndpointEntity = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  properties: {
    ...resource<WebhookEndpointId>(),
    url: p.text(),
    event_types: json(),
    description: p.text().strictNullable(),
    status: choice<WebhookEndpoint['status']>(),
    disabled_reason: choice<WebhookDisabledReason>().strictNullable(),
    ordering: choice<WebhookOrdering>(),
    payload: choice<WebhookPayload>(),
    secrets: json(),
    sealed_secrets: json(),
  },
});

type WebhookEndpointRow = InferEntity<typeof WebhookEndpointEntity>;

export const webhookEndpoints: Table<'webhookEndpoints', WebhookEndpointRow> = {
  ...tableOf(WebhookEndpointEntity),
  filters: {},

  toRow: (endpoint) => ({
    ...rowOfResource(endpoint),
    url: endpoint.url,
    event_types: JSON.stringify(endpoint.eventTypes),
    description: endpoint.description,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    ordering: endpoint.ordering,
    payload: endpoint.payload,
    secrets: JSON.stringify(endpoint.secrets),
    sealed_secrets: JSON.stringify(endpoint.sealedSecrets),
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    url: row.url,
    eventTypes: JSON.parse(row.event_types),
    description: row.description,
    status: row.status,
    disabledReason: row.disabled_reason,
    ordering: row.ordering,
    payload: row.payload,
    secrets: JSON.parse(row.secrets),
    sealedSecrets: JSON.parse(row.sealed_secrets),
  }),
};

const EndpointPositionEntity = defineEntity({
  name: 'EndpointPosition',
  tableName: 'webhook_progress',
  properties: {
    ...resource<WebhookEndpointId>(),
    position: p.bigint('number'),
    furthest: p.bigint('number'),
    failures: p.integer(),
    failing_since: instant().strictNullable(),
  },
});

type EndpointPositionRow = InferEntity<typeof EndpointPositionEntity>;

export const endpointPositions: Table<'endpointPositions', EndpointPositionRow> = {
  ...tableOf(EndpointPositionEntity),
  filters: {},

  toRow: (progress) => ({
    ...rowOfResource(progress),
    position: progress.position,
    furthest: progress.furthest,
    failures: progress.failures,
    failing_since: progress.failingSince,
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    position: row.position,
    furthest: row.furthest,
    failures: row.failures,
    failingSince: row.failing_since,
  }),
};

/** Endpoint and event are no foreign keys: a delivery outlives the one, and may the other. */
const WebhookDeliveryEntity = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_deliveries',
  properties: {
    ...resource<WebhookDeliveryId>(),
    endpoint_id: p.uuid().$type<WebhookEndpointId>(),
    event_id: p.uuid().$type<EventId>(),
    event_type: typeName<EventType>(),
    sequence: p.bigint('number'),
    status: choice<WebhookDeliveryStatus>(),
    caused_by: choice<WebhookTrigger>(),
    attempt_count: p.integer(),
    next_attempt_at: instant().strictNullable(),
    attempts: json(),
  },
  indexes: [
    { properties: ['endpoint_id', 'id'] },
    { properties: ['event_id', 'id'] },
    { properties: ['status', 'id'] },
    { properties: ['endpoint_id', 'status', 'sequence'] },
    { properties: ['endpoint_id', 'status', 'next_attempt_at'] },
  ],
});

export type WebhookDeliveryRow = InferEntity<typeof WebhookDeliveryEntity>;

export const webhookDeliveries: Table<'webhookDeliveries', WebhookDeliveryRow> = {
  ...tableOf(WebhookDeliveryEntity),
  filters: { endpointId: 'endpoint_id', eventId: 'event_id', status: 'status' },
  choices: { status: webhookDeliveryStatuses },

  toRow: (delivery) => ({
    ...rowOfResource(delivery),
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    sequence: delivery.sequence,
    status: delivery.status,
    caused_by: delivery.trigger,
    attempt_count: delivery.attemptCount,
    next_attempt_at: delivery.nextAttemptAt,
    attempts: JSON.stringify(delivery.attempts),
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    sequence: row.sequence,
    status: row.status,
    trigger: row.caused_by,
    attemptCount: row.attempt_count,
    nextAttemptAt: row.next_attempt_at,
    attempts: JSON.parse(row.attempts),
  }),
};
