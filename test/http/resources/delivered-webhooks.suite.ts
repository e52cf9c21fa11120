import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { type Received, type Receiver, startReceiver } from '../../adapters/webhooks/receiver.ts';
import { localKinds } from '../../support/test-databases.ts';
import type { Client, Json } from '../support/client.ts';
import { expectCreated, expectNoContent, expectOne } from '../support/expectations.ts';
import { serviceSuite } from '../support/service.ts';
import { newOrder, newProduct } from '../support/shop.ts';
import { newEndpoint, webhookSettings } from '../support/webhooks.ts';

const path = '/v1/webhook-endpoints';
const settings = { ...webhookSettings, WEBHOOK_ALLOW: '127.0.0.1:*' };

/** From the change in the shop to the receiver, as both programs see it. */
export const describeWebhook = serviceSuite('A webhook', settings, (service, kind) => {
  let admin: Client;
  let receiver: Receiver;
  let status = 204;
  let endpoint: Json;

  beforeEach(async () => {
    admin = service.operator;
    status = 204;
    receiver = await startReceiver((_request, response) => response.writeHead(status).end());
    const url = `http://127.0.0.1:${receiver.port}/hooks`;
    endpoint = await newEndpoint(admin, { url, event_types: ['order.*', 'product.created'] });
  });

  afterEach(async () => {
    expectNoContent(await admin.delete(`${path}/${endpoint.id}`));
    await receiver.close();
  });

  const arrived = (about: string): Promise<Received> =>
    service
      .until(
        async () => receiver.received.find(({ body }) => body.includes(about)),
        (found) => found !== undefined,
        20_000,
      )
      .then((found) => found ?? expect.fail('It has arrived.'));

  const verifies = (secret: string, { headers, body }: Received): boolean => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };

  it('is the event of the feed, signed, and in the list of deliveries', async () => {
    const buyer = await service.person('customer');
    const order = await newOrder(buyer, await newProduct(service));
    const received = await arrived(order.id);
    expect(verifies(endpoint.secret, received)).to.equal(true);
    const { cause, ...event } = JSON.parse(received.body);
    expect(received.headers['webhook-id']).to.equal(event.id);
    expect(received.path).to.equal('/hooks');
    const { cause: _, ...inFeed } = expectOne(await admin.get(`/v1/events/${event.id}`));
    expect(event).to.deep.equal(inFeed);
    expect(cause).to.deep.include({ kind: 'request', user_id: buyer.userId, idempotency_key: null });
    const list = async () => (await admin.get(`/v1/webhook-deliveries?event_id=${event.id}`)).body.data;
    const [delivery] = await service.until(list, ([one]) => one?.status === 'succeeded');
    expect(delivery).to.include({ endpoint_id: endpoint.id, attempt_count: 1, next_attempt_at: null });
    expect(delivery.attempts[0]).to.include({ status_code: 204, error: null });
    const types = receiver.received.map(({ body }) => JSON.parse(body).type);
    expect(new Set(types)).to.deep.equal(new Set(['product.created', 'order.created']));
  });

  it('is verified before, during and after a rotation, of which the sender learns within a second', async () => {
    const secrets = `${path}/${endpoint.id}/secrets`;
    const verified = async (by: readonly string[]): Promise<readonly boolean[]> => {
      const received = await arrived((await newProduct(service)).id);
      return by.map((secret) => verifies(secret, received));
    };
    const old: string = endpoint.secret;
    expect(await verified([old])).to.deep.equal([true]);
    const { secret } = expectCreated(await admin.post(secrets, {}), secrets);
    const expectSentBy = async (...expected: readonly boolean[]): Promise<void> => {
      const begun = service.now;
      expect(await verified([old, secret])).to.deep.equal(expected);
      if (localKinds.includes(kind)) expect(service.now - begun, 'simulated time').to.be.at.most(1_000);
    };
    await expectSentBy(true, true);
    expectNoContent(await admin.delete(`${secrets}/${endpoint.secrets[0].id}`));
    await expectSentBy(false, true);
  });

  it('is sent again when the position is set back, and on request, with the same id', async () => {
    const { id } = await newProduct(service);
    const { body } = await arrived(id);
    const event = JSON.parse(body);
    const copies = () => receiver.received.filter(({ headers }) => headers['webhook-id'] === event.id).length;
    expect(copies()).to.equal(1);
    expectOne(await admin.patch(`${path}/${endpoint.id}`, { position: event.sequence - 1 }));
    await service.until(
      async () => copies(),
      (count) => count === 2,
      20_000,
    );
    const again = { endpoint_id: endpoint.id, event_id: event.id };
    expectCreated(await admin.post('/v1/webhook-deliveries', again), '/v1/webhook-deliveries');
    await service.until(
      async () => copies(),
      (count) => count === 3,
      20_000,
    );
    const { body: list } = await admin.get(`/v1/webhook-deliveries?event_id=${event.id}`);
    expect(list.data.map(({ trigger }: Json) => trigger)).to.deep.equal(['event', 'position', 'manual']);
  });

  it('that is an example says so', async () => {
    const example = { endpoint_id: endpoint.id, event_type: 'dispute.closed' };
    const { event_id } = expectCreated(
      await admin.post('/v1/webhook-deliveries', example),
      '/v1/webhook-deliveries',
    );
    const received = await arrived(event_id);
    expect(verifies(endpoint.secret, received)).to.equal(true);
    expect(JSON.parse(received.body)).to.include({ test: true, type: 'dispute.closed', id: event_id });
  });

  it('that is answered with 410 disables the endpoint, which resumes when it is enabled', async () => {
    status = 410;
    const { id } = await newProduct(service);
    await arrived(id);
    const read = async () => expectOne(await admin.get(`${path}/${endpoint.id}`));
    const gone = await service.until(read, (one) => one.status === 'disabled', 10_000);
    expect(gone).to.include({ disabled_reason: 'gone' });
    expect(gone.failing_since).to.be.a('string');
    status = 204;
    const copies = receiver.received.length;
    expect(expectOne(await admin.patch(`${path}/${endpoint.id}`, { status: 'enabled' }))).to.include({
      ...{ disabled_reason: null, failing_since: null },
    });
    await service.until(
      async () => receiver.received.length,
      (count) => count > copies,
      20_000,
    );
  });
});
