import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Client, Json } from '../support/client.ts';
import { isReplay } from '../support/replays.ts';
import { type Service, serviceSuite } from '../support/service.ts';
import { newOrder, newProduct, paymentsOf } from '../support/shop.ts';

/** Pays with a key, and sends the same again while the first request runs. */
export const payTwice = async (
  service: Service,
  buyer: Client,
  order: Json,
  method: string,
  prefer: string | undefined,
) => {
  const key = randomUUID();
  const body = { order_id: order.id, payment_method: method };
  const send = (headers: Record<string, string>) =>
    buyer.post('/v1/payments', body, { 'Idempotency-Key': key, ...headers });
  const first = send({});
  await untilItPays(service, buyer, order);
  return { first, second: send(prefer === undefined ? {} : { Prefer: prefer }) };
};

/** Resolves once a payment of the order has begun, with its key. */
export const untilItPays = (service: Service, buyer: Client, order: Json): Promise<Json[]> =>
  service.until(
    () => paymentsOf(buyer, order),
    ({ length }) => length > 0,
  );

export const describeWaitForKey = serviceSuite('A request that waits for its key', {}, (service) => {
  let buyer: Client;
  let order: Json;
  beforeEach(async () => {
    buyer = await service.person('customer');
    order = await newOrder(buyer, await newProduct(service));
  });

  it('gets the stored response once the first request has ended', async () => {
    const { first, second } = await payTwice(service, buyer, order, 'tok_slow', 'wait=20');
    const created = await first;
    const replayed = await second;
    expect([created.status, replayed.status]).to.deep.equal([201, 201]);
    expect(replayed.body).to.deep.equal(created.body);
    expect([isReplay(created), isReplay(replayed)]).to.deep.equal([false, true]);
    expect(replayed.headers.get('Preference-Applied')).to.equal('wait=20');
    expect(await paymentsOf(buyer, order)).to.have.length(1);
  });
});
