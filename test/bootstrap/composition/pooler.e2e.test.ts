import { expect } from 'chai';
import { checkDatabase } from '#bootstrap/cli/doctor/database.ts';
import { missing, type Pooler, startPooler } from '../../support/pgbouncer.ts';
import { type Database, freshDatabase } from '../../support/postgres.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { ending, portico } from '../support/portico.ts';
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

describe(`A server behind PgBouncer in statement mode${missing ? `: ${missing}` : ''}`, () => {
  const place = temporaryFolder();
  let database: Database;
  let pooler: Pooler;
  before(async function () {
    if (missing) return this.skip();
    database = await freshDatabase();
    pooler = await startPooler(database.url, 3, 'statement');
  });
  after(async () => {
    await pooler?.stop();
    await database?.drop();
  });

  const reason = 'is behind a pooler that allows no transactions, as PgBouncer in statement mode';
  const remedy = 'Set pool_mode = transaction, or session.';

  /** Each command, on the database as it is then. */
  const expectRejected = async (): Promise<void> => {
    const url = pooler.through(database.url);
    const settings = { DATABASE_URL: url, PORT: '0', OPS_PORT: '0' };
    for (const words of [['start'], ['migrate', 'up'], ['keys', 'list']]) {
      const { code, output, errors } = await ending(portico(words, { settings, folder: place() }));
      expect([code, output, errors], words.join(' ')).to.deep.equal([
        1,
        '',
        `portico: DATABASE_URL names a database that cannot be used: It ${reason}. ${remedy}\n`,
      ]);
    }
    const { host, pathname } = new URL(url);
    expect(await checkDatabase({ kind: 'postgres', url })).to.deep.equal([
      { check: 'database', state: 'fail', message: `${host}${pathname} ${reason}`, remedy },
    ]);
  };

  it('does not start on an empty database, and creates nothing', async () => {
    await expectRejected();
    expect(
      await database.query("select from pg_class where relnamespace = 'public'::regnamespace"),
    ).to.deep.equal([]);
  });

  it('does not start on a migrated database either', async () => {
    const settings = { DATABASE_URL: database.url };
    expect((await ending(portico(['migrate', 'up'], { settings, folder: place() }))).code).to.equal(0);
    await expectRejected();
  });

  it('starts in the modes that the error names', async () => {
    for (const mode of ['session', 'transaction'] as const) {
      const other = await startPooler(database.url, 3, mode);
      try {
        const url = other.through(database.url);
        const [finding] = await checkDatabase({ kind: 'postgres', url });
        expect(finding?.state, mode).to.equal('ok');
        const { code } = await ending(
          portico(['keys', 'list'], { settings: { DATABASE_URL: url }, folder: place() }),
        );
        expect(code, mode).to.equal(0);
      } finally {
        await other.stop();
      }
    }
  });
});
