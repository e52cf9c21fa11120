import { described, named } from '#adapters/wire/codec.ts';
import { id, instant, integer, listOf, nullable, oneOf } from '#adapters/wire/codecs.ts';
import { either } from '#adapters/wire/either.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { derived, resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { eventTypes } from '#domain/event.ts';
import {
  WebhookDelivery,
  webhookDeliveryStatuses,
  webhookErrors,
  webhookTriggers,
} from '#domain/webhooks/delivery.ts';
import { created, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const endpointId = described(id('webhook-endpoint'), 'The endpoint. It may be deleted.');
const eventId = described(id('event'), 'The event. An example has an id of its own, which no event has.');
const eventType = described(oneOf(eventTypes), 'The type of the event.', 'order.paid');

const status = described(
  oneOf(webhookDeliveryStatuses),
  '`pending`: it is tried, or tried again. `succeeded`: the receiver has accepted it. `failed`: the last attempt has failed. `canceled`: the endpoint or the event was deleted.',
  'succeeded',
);

const atLeast = (minimum: number, maximum = 2 ** 31 - 1) =>
  integer({ minimum, maximum, violation: () => undefined });

const attempt = named(
  'WebhookAttempt',
  strictObject({
    at: described(instant, 'When the attempt began.', '2026-03-01T12:00:00.000Z'),
    durationMs: described(atLeast(0), 'How long it took, in milliseconds.', 84),
    statusCode: described(
      nullable(atLeast(100, 999)),
      'The status that the receiver answered; null when no response arrived.',
      200,
    ),
    error: described(
      nullable(oneOf(webhookErrors)),
      'Why it has failed; null for a success. `address_rejected`: the name has an address that is not public. `status`: the receiver answered with something else than 2xx.',
      null,
    ),
  }),
);

const webhookDeliveryView = resourceView<WebhookDelivery>()('WebhookDelivery', {
  endpointId,
  eventId,
  eventType,
  sequence: derived<WebhookDelivery, number | null, number | null>(
    described(
      nullable(atLeast(1, Number.MAX_SAFE_INTEGER)),
      'The place of the event in the feed; null for an example.',
      1,
    ),
    ({ sequence }) => (sequence === 0 ? null : sequence),
  ),
  status,
  trigger: described(
    oneOf(webhookTriggers),
    'Why it is delivered. `event`: it has happened. `position`: an administrator has set the position of the endpoint back. `manual` and `test`: an administrator has asked for the event again, or for an example.',
    'event',
  ),
  attemptCount: described(atLeast(0), 'How many attempts were made.', 1),
  nextAttemptAt: described(
    nullable(instant),
    'When the next attempt is made; null when it has ended, and while the endpoint is disabled.',
    null,
  ),
  attempts: described(listOf(attempt, WebhookDelivery.maxAttemptsKept), 'The last ten attempts, in order.'),
});

const ofExample = strictObject({
  endpointId: described(endpointId, 'Where to deliver it.'),
  eventType: described(eventType, 'Sends an example of this type, with `"test": true`.', 'order.paid'),
});
const ofEvent = strictObject({
  endpointId: described(endpointId, 'Where to deliver it.'),
  eventId: described(eventId, 'Delivers this event once more, whatever types the endpoint has.'),
});

export const webhookDeliveryRoutes = ({ webhookDeliveries }: UseCases) => [
  route('GET /webhook-deliveries', webhookDeliveries.list, {
    summary: 'List webhook deliveries',
    filters: { endpointId, eventId, status },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(webhookDeliveryView),
  }),
  route('POST /webhook-deliveries', webhookDeliveries.create, {
    summary: 'Deliver an event again, or an example',
    body: either(ofExample, ofEvent, 'event_id', ['event_type']),
    input: ({ body }) => body,
    responder: created(webhookDeliveryView),
  }),
  route('GET /webhook-deliveries/{id}', webhookDeliveries.get, {
    summary: 'Get a webhook delivery',
    input: ({ path }) => path.id,
    responder: ok(webhookDeliveryView),
  }),
];
