import type { EventType } from '#domain/event.ts';
import type { EventId } from '#domain/event-id.ts';
import {
  type NewWebhookDelivery,
  WebhookDelivery,
  type WebhookDeliveryId,
} from '#domain/webhooks/delivery.ts';
import type { WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import type { Collections, PageRequest } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import { requireFound } from '../preconditions.ts';
import { command, query } from '../use-case.ts';

export interface ListDeliveries {
  readonly filter: Collections['webhookDeliveries']['filter'];
  readonly page: PageRequest<WebhookDeliveryId>;
}

/** What is delivered to an endpoint: an event once more, or an example of a type. */
export type Deliver = { readonly endpointId: WebhookEndpointId } & (
  | { readonly eventId: EventId }
  | { readonly eventType: EventType }
);

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Deliveries of webhooks: staff see them, administrators make more. */
export const webhookDeliveryUseCases = ({ clock, newId }: Dependencies) => ({
  list: query(
    'webhook-endpoints:read',
    [],
    (_caller, { filter, page }: ListDeliveries) =>
      ({ webhookDeliveries }) =>
        webhookDeliveries.page(filter, page),
    'staff',
  ),

  get: query(
    'webhook-endpoints:read',
    ['not-found'],
    (_caller, id: WebhookDeliveryId) =>
      async ({ webhookDeliveries }) =>
        requireFound(await webhookDeliveries.find(id)),
    'staff',
  ),

  /**
   * Delivers an event again, whatever types the endpoint receives, or an example, which is marked as a test.
   * @throws DomainError 'not-found' when there is no such endpoint, or the event is not kept
   */
  create: command(
    'webhook-endpoints:write',
    ['not-found'],
    (_caller, input: Deliver) =>
      async ({ webhookEndpoints, webhookDeliveries, events }) => {
        const { endpointId } = input;
        const endpoint = requireFound(await webhookEndpoints.lock(endpointId));
        let details: NewWebhookDelivery;
        if ('eventId' in input) {
          const { id: eventId, type: eventType, sequence } = requireFound(await events.find(input.eventId));
          details = { endpointId, eventId, eventType, sequence, trigger: 'manual' };
        } else {
          const { eventType } = input;
          details = { endpointId, eventId: newId(), eventType, sequence: 0, trigger: 'test' };
        }
        const at = clock.now();
        const nextAttemptAt = endpoint.status === 'enabled' ? at : null;
        const delivery = WebhookDelivery.create(newId(), details, at, nextAttemptAt);
        await webhookDeliveries.add(delivery);
        return delivery;
      },
    'admin',
  ),
});
