import { expect } from 'chai';
import type { Deliver } from '#application/use-cases/webhook-deliveries.ts';
import { testShop } from '#bootstrap/testing/test-shop.ts';
import type { Event } from '#domain/event.ts';
import type { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { WebhookEndpoint, type WebhookEndpointId } from '#domain/webhooks/endpoint.ts';
import { kindOf } from './error-kind.ts';
import { nowhere } from './fixture.ts';

type Shop = Awaited<ReturnType<typeof testShop>>;

describe('Deliveries of webhooks', () => {
  let shop: Shop;
  let endpointId: WebhookEndpointId;
  let event: Event;

  const newEndpoint = async (): Promise<WebhookEndpointId> => {
    const details = { url: 'https://example.com', ...WebhookEndpoint.defaults };
    const { endpoint } = await shop.run(shop.useCases.webhookEndpoints.create, shop.admin, details);
    return endpoint.id;
  };

  beforeEach(async () => {
    shop = await testShop();
    endpointId = await newEndpoint();
    await shop.newProduct();
    const { rows } = await shop.unitOfWork.read(({ events }) => events.page({}, { after: 0, limit: 100 }));
    event = rows.at(-1) ?? expect.fail('There is no event.');
  });

  const deliver = (input: Deliver, caller = shop.admin) =>
    shop.run(shop.useCases.webhookDeliveries.create, caller, input);
  const list = async (filter: Partial<Pick<WebhookDelivery, 'endpointId' | 'eventId' | 'status'>> = {}) =>
    (await shop.run(shop.useCases.webhookDeliveries.list, shop.staff, { filter, page: { limit: 100 } })).rows;

  it('of an event are made again, and are due at once', async () => {
    const delivery = await deliver({ endpointId, eventId: event.id });
    expect(delivery).to.deep.include({
      ...{ endpointId, eventId: event.id, eventType: 'product.created', sequence: event.sequence },
      ...{ trigger: 'manual', status: 'pending', attemptCount: 0, attempts: [], version: 1 },
      nextAttemptAt: shop.now(),
    });
    const { get } = shop.useCases.webhookDeliveries;
    expect(await shop.run(get, shop.staff, delivery.id)).to.deep.equal(delivery);
    const due = await shop.unitOfWork.read(({ webhookQueue }) => webhookQueue.due(endpointId, shop.now(), 9));
    expect(due).to.deep.equal([delivery]);
  });

  it('of an example have the id of no event', async () => {
    const delivery = await deliver({ endpointId, eventType: 'order.paid' });
    expect(delivery).to.include({ eventType: 'order.paid', sequence: 0, trigger: 'test' });
    const found = await shop.unitOfWork.read(({ events }) => events.find(delivery.eventId));
    expect(found).to.equal(undefined);
  });

  it('wait while the endpoint is disabled', async () => {
    const { change } = shop.useCases.webhookEndpoints;
    const become = (status: 'enabled' | 'disabled') =>
      shop.run(change, shop.admin, { id: endpointId, expectedVersions: undefined, changes: { status } });
    await become('disabled');
    const { id, nextAttemptAt } = await deliver({ endpointId, eventId: event.id });
    expect(nextAttemptAt).to.equal(null);
    await become('enabled');
    const read = await shop.run(shop.useCases.webhookDeliveries.get, shop.staff, id);
    expect(read).to.include({ status: 'pending', nextAttemptAt: shop.now() });
  });

  it('need an endpoint that exists, and an event that is kept', async () => {
    const eventId = event.id;
    expect(await kindOf(deliver({ endpointId: nowhere(), eventId }))).to.equal('not-found');
    expect(await kindOf(deliver({ endpointId, eventId: nowhere() }))).to.equal('not-found');
    shop.advance(1);
    await shop.unitOfWork.run(({ events }) => events.deleteOlder(shop.now(), shop.now()));
    expect(await kindOf(deliver({ endpointId, eventId }))).to.equal('not-found');
    expect(await list()).to.deep.equal([]);
  });

  it('are found by endpoint, event and status', async () => {
    const other = await newEndpoint();
    const one = await deliver({ endpointId, eventId: event.id });
    const two = await deliver({ endpointId: other, eventId: event.id });
    expect(await list()).to.deep.equal([one, two]);
    expect(await list({ endpointId: other })).to.deep.equal([two]);
    expect(await list({ eventId: event.id, endpointId })).to.deep.equal([one]);
    expect(await list({ status: 'succeeded' })).to.deep.equal([]);
    await shop.run(shop.useCases.webhookEndpoints.remove, shop.admin, {
      ...{ id: other, expectedVersions: undefined },
    });
    expect((await list({ status: 'canceled' })).map(({ id }) => id)).to.deep.equal([two.id]);
  });

  it('are read by staff, and made by administrators', async () => {
    const input = { endpointId, eventId: event.id };
    const { id } = await deliver(input);
    const { get, list: listAll } = shop.useCases.webhookDeliveries;
    expect(await kindOf(deliver(input, shop.staff))).to.equal('forbidden');
    expect(await kindOf(shop.run(get, shop.customer, id))).to.equal('forbidden');
    const listing = shop.run(listAll, shop.customer, { filter: {}, page: { limit: 1 } });
    expect(await kindOf(listing)).to.equal('forbidden');
    expect(await kindOf(shop.run(get, shop.staff, nowhere()))).to.equal('not-found');
  });
});
