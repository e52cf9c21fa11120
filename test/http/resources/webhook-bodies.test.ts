import { expect } from 'chai';
import { subjectViews } from '#adapters/http/v1/shown-fields.ts';
import { showEvents } from '#adapters/http/v1/webhook-bodies.ts';
import { bodyOf } from '#application/webhooks/message.ts';
import type { Event, SubjectType } from '#domain/event.ts';
import { eventTypes } from '#domain/event.ts';
import type { EventId } from '#domain/event-id.ts';
import { anEvent } from '../../contracts/events-support.ts';
import { aProduct } from '../../contracts/samples.ts';
import { newId } from '../../support/machine.ts';
import { document } from '../support/described.ts';
import { schemaError } from '../support/schema-error.ts';

describe('The body of a webhook', () => {
  const full = { payload: 'full' } as const;

  const anyEvent = (description: string): Event => {
    const data = { ...aProduct(), description };
    const { timestamp: at, ...event } = anEvent({ data });
    return {
      ...{ ...event, timestamp: at, createdAt: at, updatedAt: at, version: 1, sequence: 1 },
      id: newId<EventId>(),
      cause: { kind: 'request', requestId: 'r', userId: null, idempotencyKey: 'the-key-of-a-client' },
    };
  };

  it('is the event as administrators see it, without the idempotency key of its cause', () => {
    const body = JSON.parse(bodyOf(showEvents.event(anyEvent('Green')), full));
    expect(body).to.include({ type: 'product.created', sequence: 1 });
    expect(body.data).to.include({ description: 'Green' });
    expect(body.cause).to.include({ request_id: 'r', idempotency_key: null });
  });

  it('is as the OpenAPI document describes it, whatever is left out or added', () => {
    const { schema } = document.webhooks.event.post.requestBody.content['application/json'];
    const error = (body: string) => schemaError(schema, JSON.parse(body));
    for (const payload of ['full', 'thin'] as const) {
      expect(error(bodyOf(showEvents.event(anyEvent('é')), { payload })), payload).to.equal(undefined);
      for (const eventType of eventTypes) {
        const example = { ...showEvents.example({ eventId: newId<EventId>(), eventType }), test: true };
        expect(error(bodyOf(example, { payload })), eventType).to.equal(undefined);
      }
    }
    expect(error(bodyOf(showEvents.event(anyEvent('é'.repeat(33_000))), full))).to.equal(undefined);
    expect(error(bodyOf({ ...showEvents.event(anyEvent('é')), test: false }, full))).to.match(/test/);
  });

  it('leaves out data and changed where the endpoint wants it thin', () => {
    const body = JSON.parse(bodyOf(showEvents.event(anyEvent('Green')), { payload: 'thin' }));
    expect(body).not.to.have.any.keys('data', 'changed');
    expect(body).to.include.keys('id', 'sequence', 'type', 'subject', 'cause');
  });

  it('has no data beyond 64 KiB of UTF-8, and says so', () => {
    const [short, long] = [anyEvent('é'.repeat(30_000)), anyEvent('é'.repeat(33_000))];
    expect(JSON.parse(bodyOf(showEvents.event(short), full)).data).to.include.keys('description');
    const truncated = bodyOf(showEvents.event(long), full);
    expect(JSON.parse(truncated)).to.include({ data: null, truncated: true, type: 'product.created' });
    expect(Buffer.byteLength(truncated)).to.be.at.most(65_536);
  });

  it('has an example for every type, with the fields of its subject', () => {
    for (const eventType of eventTypes) {
      const eventId = newId<EventId>();
      const example = JSON.parse(bodyOf(showEvents.example({ eventId, eventType }), full));
      expect(example, eventType).to.include({ id: eventId, type: eventType });
      const subject = eventType.slice(0, eventType.indexOf('.')) as SubjectType;
      expect(example.subject, eventType).to.include({ type: subject, id: example.data.id });
      expect(example.data, eventType).to.include.all.keys(subjectViews[subject].schema.required ?? []);
    }
  });
});
