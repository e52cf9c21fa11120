import { expect } from 'chai';
import { orThrow, type Portico, portico } from '#adapters/http/client/index.ts';
import { freePort } from '../bootstrap/support/ports.ts';
import { type Server, startServer } from '../bootstrap/support/server.ts';
import { euros } from '../http/support/shop.ts';

const key = 'an-operator-key-of-the-client-that-is-long-enough';

/** The other tests of the client run in simulated time. */
describe('The client of a whole program, in real time,', () => {
  let server: Server;
  let retries: string[];
  let shop: Portico;

  before(async () => {
    const limit = { RATE_LIMIT_MAX: '3', RATE_LIMIT_WINDOW_SECONDS: '1' };
    server = await startServer({ DATABASE_URL: 'memory:', ADMIN_API_KEY: key, ...limit });
    const onRetry = ({ code }: { readonly code: string }) => retries.push(code);
    shop = portico({ url: server.client.base, key, onRetry });
  });
  after(() => server?.program.kill());
  beforeEach(() => {
    retries = [];
  });

  const newProduct = async () =>
    orThrow(await shop.send('POST /products', { body: { name: 'Tea', price: euros(450) } })).data;

  it('waits for Retry-After until the rate limit allows each request', async () => {
    for (let count = 0; count < 8; count += 1) orThrow(await shop.send('GET /orders'));
    expect(retries).to.include('RATE_LIMITED');
  });

  it('retries while the first request with the key is running, and gets its response', async () => {
    const order = { product_id: (await newProduct()).id, quantity: 1 };
    const { id } = orThrow(await shop.send('POST /orders', { body: order })).data;
    const payment = { body: { order_id: id, payment_method: 'tok_slow' }, idempotencyKey: 'one-for-both' };
    const [one, other] = await Promise.all([
      shop.send('POST /payments', payment),
      shop.send('POST /payments', payment),
    ]);
    expect(orThrow(one).data).to.deep.equal(orThrow(other).data);
    expect([orThrow(one).replayed, orThrow(other).replayed]).to.have.members([true, false]);
  });

  it('waits for the next event, by one request after the other', async () => {
    const { pagination } = orThrow(await shop.send('GET /events', { query: { start: 'latest' } }));
    const events = shop.events({ cursor: pagination.resume_cursor, waitSeconds: 1 })[Symbol.asyncIterator]();
    const next = events.next();
    for (let count = 0; count < 4; count += 1) orThrow(await shop.send('GET /orders'));
    const { id } = await newProduct();
    expect((await next).value).to.have.nested.property('event.subject.id', id);
    await events.return?.(undefined);
  });

  it('gives up reading by itself where no server listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const answer = await portico({ url, key }).send('GET /orders');
    expect(answer).to.have.nested.property('error.code', 'UNREACHABLE');
  });
});
