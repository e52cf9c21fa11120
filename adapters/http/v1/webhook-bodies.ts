import type { Schema } from '#adapters/wire/codec.ts';
import type { ShowEvents } from '#application/webhooks/message.ts';
import { exampleEvent } from './event-examples.ts';
import { eventView } from './events.ts';

/** Shows events in webhooks as this version of the API shows them to administrators, but never an idempotency key. */
export const showEvents: ShowEvents = {
  event: (event) => eventView.encode({ ...event, cause: { ...event.cause, idempotencyKey: null } }),

  example: ({ eventId, eventType }) => exampleEvent(eventId, eventType),
};

const omittedByThin: readonly string[] = ['data', 'changed'];

/** The body that a receiver gets: the event, and the fields of this delivery. */
export const webhookBodySchema: Schema = {
  ...eventView.schema,
  title: 'WebhookEvent',
  properties: {
    ...eventView.schema.properties,
    test: {
      const: true,
      description: 'Only in an example that was asked for: nothing has happened.',
      'x-example-omitted': true,
    },
    truncated: {
      const: true,
      description: 'Only in an event of more than 64 KiB, whose `data` is null: read the resource.',
      'x-example-omitted': true,
    },
  },
  required: (eventView.schema.required ?? []).filter((name) => !omittedByThin.includes(name)),
};
