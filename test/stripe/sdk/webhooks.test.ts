import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type Stripe from 'stripe';
import { aPayment, runningServer } from './sdk.ts';

interface Received {
  readonly body: string;
  readonly signature: string;
}

const hour = 60 * 60 * 1000;

describe('The webhooks of the Stripe-like server', () => {
  const running = runningServer();
  let listener: Server;
  let url: string;
  let received: Received[];
  let status: number;

  before(async () => {
    listener = createServer(async (request, response) => {
      received.push({ body: await text(request), signature: String(request.headers['stripe-signature']) });
      response.writeHead(status).end();
    });
    listener.listen(0, '127.0.0.1');
    await once(listener, 'listening');
    url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/provider-events`;
  });
  after(async () => {
    listener.closeAllConnections();
    listener.close();
    await once(listener, 'close');
  });
  beforeEach(() => {
    received = [];
    status = 204;
  });

  const subscribe = async (...enabled_events: Stripe.WebhookEndpointCreateParams.EnabledEvent[]) => {
    const endpoint = await running().stripe.webhookEndpoints.create({ url, enabled_events });
    return { id: endpoint.id, secret: String(endpoint.secret) };
  };
  const pay = () => running().stripe.paymentIntents.create(aPayment('pm_card_visa'));
  const arrived = async (count: number) => {
    await running().server.settle();
    expect(received).to.have.lengthOf(count);
    return received;
  };
  const undelivered = async (count: number) => {
    const { data } = await running().stripe.events.list({ delivery_success: false });
    expect(data).to.have.lengthOf(count);
    return data;
  };
  const eventIn = ({ body, signature }: Received, secret: string) =>
    running().stripe.webhooks.constructEvent(body, signature, secret);
  const typesIn = (deliveries: readonly Received[]) => deliveries.map(({ body }) => JSON.parse(body).type);

  it('deliver signed snapshots of the subscribed types at once', async () => {
    const { secret } = await subscribe('payment_intent.succeeded', 'charge.failed');
    const { id } = await pay();
    const [only] = await arrived(1);
    const event = eventIn(only as Received, secret);
    expect(event.type).to.equal('payment_intent.succeeded');
    expect(event.data.object).to.include({ id });
    await undelivered(0);
    expect(() => eventIn(only as Received, 'whsec_forged')).to.throw(/signature/);
  });

  it('deliver thin events, which only say where to look', async () => {
    const { stripe } = running();
    const destination = await stripe.v2.core.eventDestinations.create({
      name: 'Portico',
      type: 'webhook_endpoint',
      event_payload: 'thin',
      enabled_events: ['v1.payment_intent.succeeded'],
      webhook_endpoint: { url },
      include: ['webhook_endpoint.signing_secret'],
    });
    const secret = String(destination.webhook_endpoint?.signing_secret);
    const { id } = await pay();
    const [{ body, signature } = { body: '', signature: '' }] = await arrived(1);
    const notification = stripe.parseEventNotification(body, signature, secret);
    if (notification.type !== 'v1.payment_intent.succeeded') return expect.fail(notification.type);
    expect(notification.related_object).to.include({ id, type: 'payment_intent' });
    expect(await notification.fetchRelatedObject()).to.include({ id, status: 'succeeded' });
    expect(body).to.not.include('client_secret');
    return undefined;
  });

  it('are signed with both secrets for a day after another one took its place', async () => {
    const { id, secret: old } = await subscribe('payment_intent.succeeded');
    const secret = await running().server.rollWebhookSecret(id);
    await pay();
    const [first] = await arrived(1);
    for (const each of [old, secret]) eventIn(first as Received, each);
    await running().server.advance(24 * hour);
    await pay();
    const [, second] = await arrived(2);
    eventIn(second as Received, secret);
    expect(() => eventIn(second as Received, old)).to.throw(/signature/);
  });

  it('are repeated for three days until they are accepted', async () => {
    await subscribe('payment_intent.succeeded');
    status = 503;
    await pay();
    await arrived(1);
    await running().server.advance(hour);
    await arrived(2);
    expect((await undelivered(1))[0]?.type).to.equal('payment_intent.succeeded');
    status = 204;
    await running().server.advance(2 * hour);
    await arrived(3);
    await undelivered(0);
    await running().server.advance(100 * hour);
    await arrived(3);
    expect(new Set(received.map(({ body }) => JSON.parse(body).id)).size).to.equal(1);
  });

  it('are signed with the secrets that the test chooses', async () => {
    for (const payload of ['snapshot', 'thin'] as const) {
      await running().server.subscribe(url, ['whsec_1', 'whsec_2'], payload);
    }
    await pay();
    const { webhooks } = running().stripe;
    for (const { body, signature } of await arrived(6)) {
      for (const secret of ['whsec_1', 'whsec_2']) webhooks.signature?.verifyHeader(body, signature, secret);
    }
  });

  it('are lost, arrive twice or are forged, in any order, when people act by themselves', async () => {
    const withinMilliseconds = 60_000;
    const { server } = running();
    await server.subscribe(url, ['whsec_1']);
    await server.people({ seed: 1, withinMilliseconds, webhooksTwice: 1, webhooksForged: 1 });
    await pay();
    await server.advance(withinMilliseconds);
    const all = await arrived(9);
    const types = typesIn(all);
    expect(new Set(types).size).to.equal(3);
    const forged = all.filter(({ signature, body }) => {
      try {
        return Boolean(eventIn({ signature, body }, 'whsec_forged'));
      } catch {
        return false;
      }
    });
    expect(forged).to.have.lengthOf(3);
  });

  describe('that are withheld', () => {
    beforeEach(() => running().server.withholdWebhooks());

    it('arrive when the test says so, in reversed order and twice', async () => {
      await subscribe('*');
      await pay();
      const statuses = await running().server.deliver({ isReversed: true, copies: 2 });
      expect(statuses.map((each) => each.status)).to.deep.equal(Array(6).fill(204));
      expect(typesIn(received)).to.deep.equal([
        ...['payment_intent.succeeded', 'payment_intent.succeeded'],
        ...['charge.succeeded', 'charge.succeeded'],
        ...['payment_intent.created', 'payment_intent.created'],
      ]);
    });

    it('never arrive otherwise, and are in the list of events', async () => {
      await subscribe('*');
      await pay();
      await running().server.advance(48 * hour);
      await arrived(0);
      expect((await running().stripe.events.list()).data).to.have.lengthOf(3);
    });

    it('arrive once more when the test names them', async () => {
      await subscribe('charge.*' as Stripe.WebhookEndpointCreateParams.EnabledEvent);
      await pay();
      const [{ event } = { event: '' }] = await running().server.deliver();
      expect(await running().server.deliver()).to.deep.equal([]);
      expect(await running().server.deliver({ events: [event] })).to.have.lengthOf(1);
      expect(typesIn(received)).to.deep.equal(['charge.succeeded', 'charge.succeeded']);
    });

    it('arrive in another API version', async () => {
      const { secret } = await subscribe('charge.succeeded');
      await pay();
      await running().server.deliver({ version: '2020-08-27' });
      expect(eventIn(received[0] as Received, secret).api_version).to.equal('2020-08-27');
    });

    it('arrive with an old or a forged signature', async () => {
      const { secret } = await subscribe('charge.succeeded');
      await pay();
      await running().server.deliver({ age: 301_000 });
      expect(() => eventIn(received[0] as Received, secret)).to.throw(/tolerance/);
      await pay();
      await running().server.deliver({ secret: 'whsec_forged' });
      expect(() => eventIn(received[1] as Received, secret)).to.throw(/signature/);
      eventIn(received[1] as Received, 'whsec_forged');
    });
  });
});
