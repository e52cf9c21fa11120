import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ApiResponse, Client, Json } from '../../http/support/client.ts';
import { expectCreated, expectError, expectList, expectOne } from '../../http/support/expectations.ts';
import { euros } from '../../http/support/shop.ts';
import type { NetworkFaults } from '../../stripe/network-faults.ts';
import { StripeProcess } from '../../stripe/stripe-process.ts';
import { isNight } from '../../support/night.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { type Server, startServer } from '../support/server.ts';

/** A process is killed within it, and what it had claimed is settled after it. */
const leaseMs = 5_000;

/** The provider charges and responds late; the provider charges late. */
const charged = { stall: 1, stallMilliseconds: leaseMs };
const charging = { delayMilliseconds: leaseMs };

/** The lease, and what a busy machine takes beyond it. */
const settledWithinMs = 40_000;

const atOnce = 100;

/** Nothing was done: the key was in use, or the server shed load, as on a busy machine. */
const expectNothing = (answer: ApiResponse, code: 'IDEMPOTENCY_KEY_IN_PROGRESS' | 'INVALID_STATE'): void =>
  expectError(answer, answer.status === 503 ? 'SERVICE_UNAVAILABLE' : code);

/** The database that two processes share. */
interface Place {
  readonly url: string;
  /** The whole content as text. */
  contents(): Promise<string>;
  remove(): Promise<unknown>;
}

const aServer = async (): Promise<Place> => {
  const { url, query, drop } = await freshDatabase();
  const contents = async () => {
    const tables = await query("select tablename from pg_tables where schemaname = 'public'");
    const rows = await Promise.all(tables.map(({ tablename }) => query(`select * from ${tablename}`)));
    return JSON.stringify(rows);
  };
  return { url, contents, remove: drop };
};

const aFile = async (): Promise<Place> => {
  const folder = await mkdtemp(join(tmpdir(), 'portico-'));
  const contents = async () => {
    const files = await readdir(folder);
    return (await Promise.all(files.map((file) => readFile(join(folder, file), 'latin1')))).join('');
  };
  return {
    url: `sqlite:${join(folder, 'portico.db')}`,
    contents,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

const describeTogether = (what: string, newPlace: () => Promise<Place>, rounds: number) =>
  describe(`Two processes that share ${what} and a provider like Stripe`, () => {
    let place: Place;
    let stripe: StripeProcess;
    let servers: [Server, Server];
    let product: Json;

    const start = (): Promise<Server> =>
      startServer({
        DATABASE_URL: place.url,
        PAYMENT_PROVIDER: 'stripe',
        STRIPE_SECRET_KEY: 'sk_test_unknown',
        STRIPE_API_BASE: stripe.url,
        PAYMENT_TIMEOUT_MS: `${leaseMs}`,
        IDEMPOTENCY_LEASE_MS: `${leaseMs}`,
        RECONCILE_AFTER_MS: '500',
      });

    before(async () => {
      [place, stripe] = await Promise.all([newPlace(), StripeProcess.start()]);
      servers = [await start(), await start()];
      const tea = { name: 'Tea', price: euros(350) };
      product = expectCreated(await one().post('/v1/products', tea), '/v1/products');
    });
    after(async () => {
      await Promise.all(servers.map(({ program }) => program.kill()));
      await stripe.stop();
      await place.remove();
    });
    afterEach(() => stripe.reset());

    const one = (): Client => servers[0].client;
    const other = (): Client => servers[1].client;

    const newOrder = async (): Promise<Json> =>
      expectCreated(await one().post('/v1/orders', { product_id: product.id, quantity: 1 }), '/v1/orders');

    const pay = (at: Client, order: Json, key: string, method = 'pm_card_visa'): Promise<ApiResponse> =>
      at.post('/v1/payments', { order_id: order.id, payment_method: method }, { 'Idempotency-Key': key });

    /** Pays and retries until the response is final, as a client does. */
    const persist = (at: Client, order: Json, key: string): Promise<ApiResponse> =>
      until(
        () => pay(at, order, key),
        ({ status, body }) => status < 500 && body.error?.code !== 'IDEMPOTENCY_KEY_IN_PROGRESS',
        settledWithinMs,
      );

    const paymentOf = async (order: Json): Promise<Json> =>
      expectList(await other().get(`/v1/payments?order_id=${order.id}`))[0];

    const chargesOf = async ({ id }: Json) =>
      (await stripe.ledger()).charges.filter(({ payment_id }) => payment_id === id);

    it('charge once for a hundred identical concurrent requests, several times in a row', async () => {
      for (let round = 1; round <= rounds; round += 1) {
        const order = await newOrder();
        const key = randomUUID();
        const answers = await Promise.all(
          Array.from({ length: atOnce }, (_, index) => pay(index % 2 === 0 ? one() : other(), order, key)),
        );
        const paid = answers.filter(({ status }) => status === 201);
        expect(new Set(paid.map(({ text }) => text))).to.have.lengthOf(1);
        for (const answer of answers) {
          if (answer.status !== 201) expectNothing(answer, 'IDEMPOTENCY_KEY_IN_PROGRESS');
        }
        expect((await pay(other(), order, key)).text).to.equal(paid[0]?.text);
        expect((await stripe.ledger()).charges).to.have.lengthOf(round);
      }
    });

    it('charge once for a hundred concurrent requests with different keys', async () => {
      const order = await newOrder();
      const answers = await Promise.all(
        Array.from({ length: atOnce }, (_, index) =>
          pay(index % 2 === 0 ? one() : other(), order, randomUUID()),
        ),
      );
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused).to.have.lengthOf(atOnce - 1);
      for (const answer of refused) expectNothing(answer, 'INVALID_STATE');
      expect((await stripe.ledger()).charges).to.have.lengthOf(1);
    });

    it('refund once for a hundred concurrent requests', async () => {
      const order = await newOrder();
      const payment = expectCreated(await pay(one(), order, randomUUID()), '/v1/payments');
      const key = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: atOnce }, (_, index) =>
          (index % 2 === 0 ? one() : other()).post(
            '/v1/refunds',
            { payment_id: payment.id, amount: euros(100) },
            { 'Idempotency-Key': key },
          ),
        ),
      );
      expect(
        new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text)),
      ).to.have.lengthOf(1);
      expect((await stripe.ledger()).refunds).to.have.lengthOf(1);
      expect(expectOne(await one().get(`/v1/payments/${payment.id}`)).refunded).to.deep.equal(euros(100));
    });

    it('finish a payment after the client has disconnected, and replay its response on a retry', async () => {
      await stripe.setNetworkFaults({ stall: 1, stallMilliseconds: 700 });
      const order = await newOrder();
      const key = randomUUID();
      const impatient = fetch(`${one().base}/v1/payments`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${one().token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify({ order_id: order.id, payment_method: 'pm_card_visa' }),
        signal: AbortSignal.timeout(300),
      });
      expect(await impatient.catch((error: Error) => error.name)).to.equal('TimeoutError');
      const answer = await persist(other(), order, key);
      expect(answer.headers.get('Idempotent-Replayed')).to.equal('true');
      expect(expectCreated(answer, '/v1/payments').status).to.equal('succeeded');
      expect(await chargesOf(await paymentOf(order))).to.have.lengthOf(1);
    });

    /** Kills the first server during a payment, before or after the provider charges. */
    const killWhilePaying = async (faults: NetworkFaults): Promise<{ order: Json; key: string }> => {
      await stripe.setNetworkFaults(faults);
      const order = await newOrder();
      const key = randomUUID();
      const { requests } = await stripe.ledger();
      const lost = pay(one(), order, key).catch((error: Error) => error);
      await until(
        () => paymentOf(order),
        (payment) => payment?.status === 'pending',
      );
      await until(
        () => stripe.ledger(),
        (ledger) => ledger.requests > requests,
      );
      await servers[0].program.kill();
      expect(await lost).to.be.instanceOf(Error);
      await stripe.setNetworkFaults({});
      return { order, key };
    };

    const settled = (order: Json): Promise<Json> =>
      until(
        () => paymentOf(order),
        ({ status }) => status !== 'pending',
        settledWithinMs,
      );

    const restart = async (): Promise<void> => {
      servers[0] = await start();
    };

    it('complete a payment of a killed process with the charge that was made', async () => {
      const { order, key } = await killWhilePaying(charged);
      expectError(await pay(other(), order, key), 'IDEMPOTENCY_KEY_IN_PROGRESS');
      const answer = await persist(other(), order, key);
      const payment = expectCreated(answer, '/v1/payments');
      expect(payment.status).to.equal('succeeded');
      await restart();
      expect((await pay(one(), order, key)).text).to.equal(answer.text);
      const charges = await chargesOf(payment);
      expect(charges.map(({ id }) => id)).to.deep.equal([payment.provider_reference]);
    });

    for (const [when, faults] of Object.entries({
      'after the charge': charged,
      'before the charge': charging,
    })) {
      it(`settle a payment of a killed process, ${when}, without a retry of the client`, async () => {
        const { order } = await killWhilePaying(faults);
        const payment = await settled(order);
        expect(payment.status).to.equal('succeeded');
        expect(expectOne(await other().get(`/v1/orders/${order.id}`)).status).to.equal('paid');
        const charges = await chargesOf(payment);
        expect(charges.map(({ id }) => id)).to.deep.equal([payment.provider_reference]);
        await restart();
      });
    }

    it('fail a payment that never reached the provider, so that the order can be paid again', async () => {
      await stripe.script('dropBefore');
      const order = await newOrder();
      const key = randomUUID();
      expectError(await pay(one(), order, key), 'UPSTREAM_FAILED');
      const payment = await settled(order);
      expect(payment).to.deep.include({ status: 'failed', provider_reference: null });
      expect(payment.failure.code).to.equal('not_charged');
      expectError(await pay(other(), order, key), 'PAYMENT_DECLINED');
      const paid = expectCreated(await pay(other(), order, randomUUID()), '/v1/payments');
      expect(await chargesOf(payment)).to.deep.equal([]);
      expect(await chargesOf(paid)).to.have.lengthOf(1);
    });

    it('store neither the card token nor the secret key of the provider', async () => {
      const order = await newOrder();
      await pay(one(), order, randomUUID(), 'pm_card_chargeDeclined');
      await pay(one(), order, randomUUID(), 'pm_card_visa');
      const contents = await place.contents();
      expect(contents).to.contain(order.id);
      expect(contents).not.to.match(/pm_card|sk_test_unknown/);
      for (const { program } of servers) {
        expect(program.output + program.errors).not.to.match(/pm_card|sk_test_unknown/);
      }
    });
  });

describeTogether('a PostgreSQL', aServer, isNight ? 100 : 20);
describeTogether('a file of SQLite', aFile, 10);
