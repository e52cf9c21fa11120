import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { orThrow, type Portico } from '#adapters/http/client/index.ts';
import { describeServiceOnMemory } from '../http/support/service.ts';
import { forEachCase } from '../support/for-each-case.ts';
import { Shop } from './shop.ts';

const root = join(import.meta.dirname, '../..');
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor;

/** The example of docs/client.md that pays with a key of its own. */
const example =
  [...textOf('docs/client.md').matchAll(/^```ts\n(.*?)^```$/gms)].find(([, block]) =>
    block?.includes('idempotencyKey:'),
  )?.[1] ?? '';

describeServiceOnMemory('An attempt to pay', {}, (service) => {
  const shop = new Shop(service);

  /** Runs the example as it stands, with another card. */
  const pay = (client: Portico, order: object, card: string): Promise<unknown> =>
    new AsyncFunction('shop', 'order', example.replace("'tok_ok'", `'${card}'`))(client, order);

  it('has a key of its own in docs/client.md, so that an order can be paid after a decline', async () => {
    const customer = await shop.client();
    const order = await shop.newOrder(customer);
    shop.wire.expect();
    for (const card of ['tok_declined', 'tok_declined', 'tok_ok']) await pay(customer, order, card);
    expect(new Set(shop.wire.seen.map(({ key }) => key))).to.have.property('size', 3);
    const { data } = orThrow(await customer.send('GET /payments', { query: { order_id: order.id } }));
    expect(data.map(({ status }) => status).toSorted()).to.deep.equal(['failed', 'failed', 'succeeded']);
  });

  it('cannot share the key of another: an order with one key is not paid after a decline', async () => {
    const customer = await shop.client();
    const order = await shop.newOrder(customer);
    const codes = [];
    for (const payment_method of ['tok_declined', 'tok_declined', 'tok_ok']) {
      const answer = await customer.send('POST /payments', {
        body: { order_id: order.id, payment_method },
        idempotencyKey: `payment-of-${order.id}`,
      });
      codes.push(answer.ok || answer.error.code);
    }
    expect(codes).to.deep.equal(['PAYMENT_DECLINED', 'PAYMENT_DECLINED', 'IDEMPOTENCY_KEY_REUSED']);
  });

  const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })];
  it('has no key made of an order alone in any page', () =>
    forEachCase(pages, (file) => {
      const keys = [...textOf(file).matchAll(/(?:idempotency-?key|payment_?key)['"]?\s?[:=]\s?(.*)/gi)];
      for (const [line, value = ''] of keys) {
        if (/order/i.test(value)) expect(line).to.match(/attempt/);
      }
    }));
});
