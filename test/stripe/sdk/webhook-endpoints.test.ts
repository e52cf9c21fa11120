import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import Stripe from 'stripe';
import { aPayment, errorOf, runningServer, sdkAt } from './sdk.ts';

const url = 'https://shop.example/provider-events';

describe('The webhook endpoints of the Stripe-like server', () => {
  const running = runningServer();
  const create = (details: Partial<Stripe.WebhookEndpointCreateParams> = {}) =>
    running().stripe.webhookEndpoints.create({ url, enabled_events: ['charge.refunded'], ...details });
  const createDestination = (details: Partial<Stripe.V2.Core.EventDestinationCreateParams> = {}) =>
    running().stripe.v2.core.eventDestinations.create({
      ...{ name: 'Portico', type: 'webhook_endpoint', event_payload: 'thin' },
      ...{ enabled_events: ['v1.charge.refunded'], webhook_endpoint: { url } },
      ...details,
    });

  it('show their secret when they are created, and never again', async () => {
    const { id, secret } = await create({ description: 'News', metadata: { for: 'Portico' } });
    expect(secret).to.match(/^whsec_\w+$/);
    const { webhookEndpoints } = running().stripe;
    for (const endpoint of [await webhookEndpoints.retrieve(id), (await webhookEndpoints.list()).data[0]]) {
      expect(endpoint).to.deep.include({
        ...{ id, url, enabled_events: ['charge.refunded'], status: 'enabled', application: null },
        ...{ description: 'News', metadata: { for: 'Portico' }, api_version: Stripe.API_VERSION },
      });
      expect(endpoint).to.not.have.property('secret');
    }
  });

  it('are updated in what is given, and disabled and enabled again', async () => {
    const { id } = await create();
    const { webhookEndpoints } = running().stripe;
    const moved = await webhookEndpoints.update(id, { url: `${url}/2`, enabled_events: ['*'] });
    expect(moved).to.deep.include({ url: `${url}/2`, enabled_events: ['*'], status: 'enabled' });
    await webhookEndpoints.update(id, { disabled: true });
    expect(await webhookEndpoints.retrieve(id)).to.include({ status: 'disabled', url: `${url}/2` });
    expect(await webhookEndpoints.update(id, { disabled: false })).to.include({ status: 'enabled' });
  });

  it('are gone once they are deleted', async () => {
    const { id } = await create();
    const { webhookEndpoints } = running().stripe;
    const deleted = await webhookEndpoints.del(id);
    expect(deleted).to.deep.include({ id, object: 'webhook_endpoint', deleted: true });
    expect((await webhookEndpoints.list()).data).to.deep.equal([]);
    expect(await errorOf(webhookEndpoints.retrieve(id))).to.include({
      ...{ statusCode: 404, code: 'resource_missing' },
    });
  });

  it('are listed in pages, the newest first', async () => {
    const ids: string[] = [];
    for (const _ of Array.from({ length: 3 })) ids.unshift((await create()).id);
    const { webhookEndpoints } = running().stripe;
    const paged = await webhookEndpoints.list({ limit: 2 }).autoPagingToArray({ limit: 10 });
    expect(paged.map(({ id }) => id)).to.deep.equal(ids);
  });

  it('need a URL and types of events', async () => {
    expect((await errorOf(create({ url: 'portico' }))).code).to.equal('url_invalid');
    expect((await errorOf(create({ enabled_events: [] }))).param).to.equal('enabled_events');
  });

  it('of version 2 show their URL at request only', async () => {
    const { eventDestinations } = running().stripe.v2.core;
    const { id } = await createDestination();
    const hidden = await eventDestinations.retrieve(id);
    expect(hidden).to.deep.include({ event_payload: 'thin', status: 'enabled', events_from: ['@self'] });
    expect(hidden.webhook_endpoint).to.deep.equal({ signing_secret: null, url: null });
    const shown = await eventDestinations.retrieve(id, { include: ['webhook_endpoint.url'] });
    expect(shown.webhook_endpoint).to.include({ url });
  });

  it('of version 2 are updated, disabled, enabled and deleted', async () => {
    const { eventDestinations } = running().stripe.v2.core;
    const { id } = await createDestination();
    const updated = await eventDestinations.update(id, {
      name: 'Shop',
      enabled_events: ['v1.refund.created'],
    });
    expect(updated).to.deep.include({ name: 'Shop', enabled_events: ['v1.refund.created'] });
    expect(await eventDestinations.disable(id)).to.deep.include({
      ...{ status: 'disabled', status_details: { disabled: { reason: 'user' } } },
    });
    expect(await eventDestinations.enable(id)).to.include({ status: 'enabled' });
    expect(await eventDestinations.del(id)).to.include({ id });
    expect((await errorOf(eventDestinations.retrieve(id))).statusCode).to.equal(404);
  });

  it('of version 2 are listed in pages, and so are those of version 1, which lists no thin ones', async () => {
    const { id } = await create();
    const thin = [(await createDestination()).id, (await createDestination()).id];
    const { eventDestinations } = running().stripe.v2.core;
    const paged = await eventDestinations.list({ limit: 2 }).autoPagingToArray({ limit: 10 });
    expect(paged.map((each) => each.id)).to.deep.equal([...thin.toReversed(), id]);
    expect((await running().stripe.webhookEndpoints.list()).data.map((each) => each.id)).to.deep.equal([id]);
  });

  it('cannot be read with a restricted key that may not', async () => {
    const restricted = sdkAt(running().server.url, 'rk_test_1');
    expect((await restricted.webhookEndpoints.list()).data).to.deep.equal([]);
    await running().server.forbidRestrictedKeys('GET /v1/webhook_endpoints');
    const error = await errorOf(restricted.webhookEndpoints.list());
    expect(error).to.be.instanceOf(Stripe.errors.StripePermissionError).and.include({ statusCode: 403 });
    await running().stripe.webhookEndpoints.list();
  });

  it('belong to an account that can take payments', async () => {
    expect(await running().stripe.accounts.retrieveCurrent()).to.deep.include({
      ...{ object: 'account', charges_enabled: true },
    });
  });

  describe('that receive', () => {
    let listener: Server;
    let received: string[];
    let address: string;
    before(async () => {
      listener = createServer(async (request, response) => {
        received.push(JSON.parse(await text(request)).type);
        response.writeHead(204).end();
      });
      await once(listener.listen(0, '127.0.0.1'), 'listening');
      address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
    });
    after(async () => {
      listener.closeAllConnections();
      await once(listener.close(), 'close');
    });
    beforeEach(() => {
      received = [];
    });

    it('get no events while they are disabled, nor those of this account when they are for connected ones', async () => {
      await running().server.withholdWebhooks();
      const { id } = await create({ url: address, enabled_events: ['charge.succeeded'] });
      await create({ url: address, enabled_events: ['*'], connect: true });
      await running().stripe.webhookEndpoints.update(id, { disabled: true });
      await running().stripe.paymentIntents.create(aPayment('pm_card_visa'));
      await running().server.deliver();
      expect(received).to.deep.equal([]);
      await running().stripe.webhookEndpoints.update(id, { disabled: false });
      await running().stripe.paymentIntents.create(aPayment('pm_card_visa'));
      await running().server.deliver();
      expect(received).to.deep.equal(['charge.succeeded']);
    });
  });
});
