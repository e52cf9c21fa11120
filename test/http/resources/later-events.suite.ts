import { expect } from 'chai';
import type { NewEvent } from '#domain/event.ts';
import type { OrderId } from '#domain/order.ts';
import type { Resource } from '#domain/resource.ts';
import { type Receiver, startReceiver } from '../../adapters/webhooks/receiver.ts';
import { operatorKey } from '../../bootstrap/support/server-settings.ts';
import { anEvent } from '../../contracts/events-support.ts';
import { aProduct } from '../../contracts/samples.ts';
import { newId } from '../../support/machine.ts';
import { isKept } from '../../support/test-databases.ts';
import { Client, type Json } from '../support/client.ts';
import { conformanceTo } from '../support/conformance.ts';
import { operationsOf, published } from '../support/described.ts';
import { schemaError } from '../support/schema-error.ts';
import { serviceSuite } from '../support/service.ts';
import { newEndpoint, webhookSettings } from '../support/webhooks.ts';

const settings = { ...webhookSettings, WEBHOOK_ALLOW: '127.0.0.1:*' };

/** The type, the subject and the data that a later release may store. */
const ofLaterRelease = (type: string, data: object, orderId: OrderId): NewEvent => {
  const [subject = ''] = type.split('.');
  const resource = { ...aProduct(), ...data } as Resource;
  return anEvent({
    ...({ type, subject: { type: subject, id: resource.id, version: 2 } } as NewEvent),
    ...{ orderId, data: resource, changed: ['wrapped'] },
  });
};

export const describeLaterEvents = serviceSuite('An event of another release', settings, (service, kind) => {
  if (!isKept(kind)) return;
  const orderId = newId<OrderId>();
  /** Held to the document that is published, as a client of this release is. */
  const reader = new Client(() => service.url, operatorKey, conformanceTo(operationsOf(published)));
  const stored = [
    ofLaterRelease('gift.sent', { wrapped: true }, orderId),
    ofLaterRelease('order.held', { status: 'held' }, orderId),
    // A product has a price in every release. What cannot be shown keeps no reader from the events behind it.
    ofLaterRelease('product.updated', { price: undefined, tags: undefined }, orderId),
    anEvent({ orderId }),
  ];
  let receiver: Receiver;

  before(async () => {
    receiver = await startReceiver((_request, response) => response.writeHead(204).end());
    await newEndpoint(service.operator, { url: `http://127.0.0.1:${receiver.port}/hooks` });
    await service.whileStopped(({ unitOfWork }) => unitOfWork.run(({ events }) => events.append(stored)));
  });
  after(() => receiver.close());

  const page = async (query = `order_id=${orderId}`): Promise<readonly Json[]> =>
    (await reader.get(`/v1/events?${query}`)).body.data;
  const numbered = () => service.until(page, (rows) => rows.length === stored.length);

  it('is shown as it was stored, without data, and those behind it are shown', async () => {
    const rows = await numbered();
    expect(rows.map(({ type }) => type)).to.deep.equal(stored.map(({ type }) => type));
    for (const [index, { subject }] of stored.entries()) {
      expect(rows[index]).to.deep.include({ subject, order_id: orderId });
      expect(await reader.get(`/v1/events/${rows[index].id}`)).to.have.nested.include({
        'body.data.type': rows[index].type,
      });
    }
    expect(rows.map(({ data }) => data?.name)).to.deep.equal([undefined, undefined, undefined, 'Tea']);
    expect(rows.slice(0, 2)).to.satisfy((some: readonly Json[]) => some.every(({ data }) => data === null));
    expect(rows[0]).to.deep.include({ changed: ['wrapped'] });
  });

  it('is sent to webhooks in the same way', async () => {
    const rows = await numbered();
    const ids = rows.map(({ id }) => id);
    const bodies = await service.until(
      async () => receiver.received.map(({ body }) => JSON.parse(body)).filter(({ id }) => ids.includes(id)),
      (found) => new Set(found.map(({ id }) => id)).size === stored.length,
    );
    const { schema } = published.webhooks.event.post.requestBody.content['application/json'];
    for (const row of rows) {
      const body = bodies.find(({ id }) => id === row.id);
      expect(body).to.deep.include({ type: row.type, subject: row.subject, data: row.data });
      expect(schemaError(schema, body)).to.equal(undefined);
    }
    const { body } = await reader.get(`/v1/webhook-deliveries?event_id=${ids[0]}`);
    expect(body.data[0]).to.include({ event_type: 'gift.sent' });
  });
});
