import { expect } from 'chai';
import { type Server, startServer } from '../../bootstrap/support/server.ts';
import type { Json } from '../../http/support/client.ts';
import { expectError } from '../../http/support/expectations.ts';
import { euros, orderNow, pay, paymentsOf } from '../../http/support/shop.ts';
import { until } from '../../support/until.ts';
import { secretKey, stripeServer } from './stripe.ts';

const card = 'pm_card_visa';

describe('A program that charges by Stripe', () => {
  const stripe = stripeServer();
  let server: Server;
  let unpaid: Json;

  before(async () => {
    server = await startServer({
      DATABASE_URL: 'memory:',
      LOG_LEVEL: 'trace',
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_API_BASE: stripe().url,
      PAYMENT_TIMEOUT_MS: '800',
      IDEMPOTENCY_LEASE_MS: '800',
      RECONCILE_AFTER_MS: '100',
    });
  });
  after(() => server?.program.kill());
  beforeEach(async () => {
    const product = await server.client.post('/v1/products', { name: 'Tea', price: euros(450) });
    const order = await server.client.post('/v1/orders', { product_id: product.body.data.id, quantity: 1 });
    unpaid = order.body.data;
  });

  it('responds UPSTREAM_TIMEOUT when the provider responds late, and settles the payment afterwards', async () => {
    await stripe().setNetworkFaults({ stallMilliseconds: 60_000 });
    await stripe().script('stall');
    expectError(await pay(server.client, unpaid, card), 'UPSTREAM_TIMEOUT');
    const [payment] = await until(
      () => paymentsOf(server.client, unpaid),
      ([only]) => only.status !== 'pending',
      60_000,
    );
    const { charges } = await stripe().ledger();
    expect(charges.map(({ id }) => id)).to.deep.equal(
      payment.provider_reference === null ? [] : [payment.provider_reference],
    );
    const { status } = await orderNow(server.client, unpaid);
    expect(status).to.equal(charges.length === 1 ? 'paid' : 'pending');
  });

  it('never shows its secret key or a payment method, whatever fails', async () => {
    await stripe().setNetworkFaults({ fail: 1 });
    expectError(await pay(server.client, unpaid, card), 'UPSTREAM_FAILED');
    const { program } = server;
    await program.printed(/Something went wrong on our end\./, { on: 'errors' });
    const said = program.output + program.errors;
    expect(said).to.not.include(secretKey).and.not.include(card);
  });
});
