import { expect } from 'chai';
import { missing, type Pooler, startPooler } from '../../support/pgbouncer.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { type Server, startServer } from '../support/server.ts';

describe(`Two servers behind PgBouncer in transaction mode${missing ? `: ${missing}` : ''}`, () => {
  let database: Database;
  let pooler: Pooler;
  let servers: readonly Server[] = [];
  before(async function () {
    if (missing) return this.skip();
    database = await freshDatabase();
    pooler = await startPooler(database.url, 3);
    const environment = { DATABASE_URL: pooler.through(database.url) };
    servers = await Promise.all([startServer(environment), startServer(environment)]);
  });
  after(async () => {
    await Promise.all(servers.map(({ program }) => program.kill()));
    await pooler?.stop();
    await database?.drop();
  });

  it('process orders and payments concurrently, each key once, and show those of the other server', async () => {
    const [here, there] = servers.map(({ client }) => client);
    if (here === undefined || there === undefined) throw new Error('Both were started.');
    const tea = { name: 'Tea', price: { amount: 450, currency: 'EUR' } };
    const product = (await here.post('/v1/products', tea)).body.data.id;
    const visits = Array.from({ length: 20 }, async (_, visit) => {
      const [one, other] = visit % 2 ? [here, there] : [there, here];
      const order = await one.post('/v1/orders', { product_id: product, quantity: 2 });
      expect(order.status).to.equal(201);
      const payment = { order_id: order.body.data.id, payment_method: 'tok_ok' };
      const key = { 'Idempotency-Key': `visit-${visit}` };
      const paid = await other.post('/v1/payments', payment, key);
      expect(paid.status).to.equal(201);
      const again = await one.post('/v1/payments', payment, key);
      expect(again.text).to.equal(paid.text);
      expect(again.headers.get('Idempotent-Replayed')).to.equal('true');
      const read = await one.get(`/v1/orders/${order.body.data.id}`);
      expect(read.body.data.status).to.equal('paid');
    });
    await Promise.all(visits);
  });
});
