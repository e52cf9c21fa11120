import { expect } from 'chai';
import { Client as Connection } from 'pg';
import { secretKey } from '../../adapters/payment/stripe.ts';
import { freePort } from '../../bootstrap/support/ports.ts';
import { startServer } from '../../bootstrap/support/server.ts';
import { StripeProcess } from '../../stripe/stripe-process.ts';
import { Network } from '../../support/network.ts';
import {
  allKinds,
  createDatabase,
  isKept,
  productOf,
  type TestDatabase,
} from '../../support/test-databases.ts';
import { until } from '../../support/until.ts';
import type { Client, Json } from '../support/client.ts';
import { expectOne } from '../support/expectations.ts';
import { once } from '../support/shop.ts';
import { requestText, Wire } from '../support/wire.ts';

const secret = 'whsec_first';

describe('An event that Stripe sends', () => {
  let stripe: StripeProcess;
  /** Between the shop and Stripe's API. */
  let toStripe: Network;
  before(async () => {
    stripe = await StripeProcess.start();
    toStripe = await Network.to(stripe.url);
  });
  after(async () => {
    await toStripe.close();
    await stripe.stop();
  });
  let database: TestDatabase;
  beforeEach(() => stripe.reset());
  afterEach(() => database.remove());

  /** A shop that reads no list of events. */
  const open = async (url: string) => {
    const port = await freePort();
    const server = await startServer({
      ...{ DATABASE_URL: url, PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: secretKey },
      ...{ STRIPE_API_BASE: toStripe.through(stripe.url).replace(/\/$/, ''), PAYMENT_TIMEOUT_MS: '2000' },
      ...{ STRIPE_WEBHOOK_SECRETS: secret, PROVIDER_EVENTS_PORT: `${port}`, PROVIDER_EVENTS_POLL_MS: '0' },
      REQUEST_TIMEOUT_MS: '2000',
    });
    return { ...server, eventsUrl: `http://127.0.0.1:${port}/provider-events` };
  };

  /** A payment that was refunded at Stripe, whose events are not delivered. */
  const refunded = async (client: Client): Promise<Json> => {
    await stripe.withholdWebhooks();
    const product = { name: 'Tea', price: { amount: 450, currency: 'EUR' } };
    const { id: product_id } = expectOne(await client.post('/v1/products', product), 201);
    const { id: order_id } = expectOne(await client.post('/v1/orders', { product_id, quantity: 1 }), 201);
    const body = { order_id, payment_method: 'pm_card_visa' };
    const payment = expectOne(await client.post('/v1/payments', body, once()), 201);
    await stripe.refundInDashboard(payment.provider_reference);
    return payment;
  };

  const becomesRefunded = (client: Client, { id }: Json) =>
    until(
      async () => expectOne(await client.get(`/v1/payments/${id}`)).status,
      (status) => status === 'refunded',
      60_000,
    );

  const statuses = (deliveries: readonly { readonly status: number }[]) => [
    ...new Set(deliveries.map(({ status }) => status)),
  ];

  for (const kind of allKinds.filter(isKept))
    it(`is known behind a 204, although the process is killed at once, on ${productOf(kind)}`, async () => {
      database = await createDatabase(kind);
      const killed = await open(database.url);
      await stripe.subscribe(killed.eventsUrl, [secret]);
      const payment = await refunded(killed.client);
      await toStripe.refuse();
      expect(statuses(await stripe.deliver())).to.deep.equal([204]);
      await killed.program.kill();
      await toStripe.pass();
      const { client, program } = await open(database.url);
      try {
        await becomesRefunded(client, payment);
      } finally {
        await program.kill();
      }
    });

  it('gets 503 when it is stored too late and while the database is unavailable, and 204 when it is sent again', async () => {
    database = await createDatabase('postgres');
    const toDatabase = await Network.to(database.url);
    const { client, program, eventsUrl } = await open(toDatabase.through(database.url));
    try {
      await stripe.subscribe(eventsUrl, [secret]);
      const expectNotStored = async () => {
        const ofMoney = (await stripe.deliver()).filter(({ type }) => type.startsWith('refund.'));
        expect(statuses(ofMoney)).to.deep.equal([503]);
      };
      const expectStoredAgain = async (payment: Json) => {
        const sentAgain = () => stripe.deliver().then(statuses);
        await until(sentAgain, ([status]) => status === undefined || status === 204);
        await becomesRefunded(client, payment);
      };
      const late = await refunded(client);
      const holder = new Connection({ connectionString: database.url });
      await holder.connect();
      await holder.query('begin; lock table look_ups');
      await expectNotStored();
      await holder.end();
      await until(
        async () => program.errors,
        (text) => text.includes('was not stored within 2000 ms'),
      );
      await expectStoredAgain(late);
      const unstored = await refunded(client);
      await toDatabase.refuse();
      await expectNotStored();
      await toDatabase.pass();
      await expectStoredAgain(unstored);
      expect(program.errors).to.match(/could not be stored/);
      expect(program.errors + program.output).not.to.include(secret);
    } finally {
      await program.kill();
      await toDatabase.close();
    }
  });

  it('gets 408 when it has not arrived within REQUEST_TIMEOUT_MS', async () => {
    database = await createDatabase('memory');
    const { program, eventsUrl } = await open(database.url);
    try {
      const wire = await Wire.open(new URL(eventsUrl).origin);
      wire.write(requestText('POST /provider-events', ['Content-Length: 10'], '{'));
      expect((await wire.answer()).status).to.equal(408);
      await wire.closed();
    } finally {
      await program.kill();
    }
  });

  it('costs the database nothing when it is forged or stale', async () => {
    database = await createDatabase('postgres');
    const toDatabase = await Network.to(database.url);
    const { client, program, eventsUrl } = await open(toDatabase.through(database.url));
    /** What is sent to the database beside what the jobs of the same time send. */
    const costOf = async (act: () => Promise<unknown>): Promise<number> => {
      const before = toDatabase.sent;
      await act();
      return toDatabase.sent - before;
    };
    try {
      await stripe.subscribe(eventsUrl, [secret]);
      await refunded(client);
      const copies = 100;
      const forged = await costOf(() => stripe.deliver({ copies, secret: 'whsec_forged' }));
      const stale = await costOf(() => stripe.deliver({ copies, age: 600_000 }));
      const accepted = await costOf(() => stripe.deliver({ copies }));
      expect(accepted).to.be.at.least(copies);
      for (const cost of [forged, stale]) expect(cost).to.be.lessThan(copies);
    } finally {
      await program.kill();
      await toDatabase.close();
    }
  });
});
