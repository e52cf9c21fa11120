import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Program } from '../../bootstrap/support/program.ts';
import { Client, type Json } from '../../http/support/client.ts';
import { expectCreated, expectError } from '../../http/support/expectations.ts';
import { Service } from '../../http/support/service.ts';
import { euros, newOrder, newProduct, orderNow, pay, paymentsOf, refund } from '../../http/support/shop.ts';
import { until } from '../../support/until.ts';
import { secretKey, stripeServer } from './stripe.ts';

const card = 'pm_card_visa';

describe('A service that charges by Stripe', () => {
  const stripe = stripeServer();
  let service: Service;
  let customer: Client;
  let product: Json;
  let unpaid: Json;
  let key: string;

  before(async () => {
    service = new Service(
      {
        PAYMENT_PROVIDER: 'stripe',
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_API_BASE: stripe().url,
        PAYMENT_TIMEOUT_MS: '800',
        IDEMPOTENCY_LEASE_MS: '800',
        RECONCILE_AFTER_MS: '100',
      },
      'memory',
    );
    await service.start();
    customer = await service.person('customer');
    product = await newProduct(service);
  });
  after(() => service.end());
  beforeEach(async () => {
    unpaid = await newOrder(customer, product);
    key = randomUUID();
  });

  it('pays, and shows the intent’s id', async () => {
    const response = await pay(customer, unpaid, card, key);
    const payment = expectCreated(response, '/v1/payments');
    const { charges } = await stripe().ledger();
    expect(charges).to.have.lengthOf(1);
    expect(charges[0]?.payment_id).to.equal(payment.id);
    expect(payment).to.include({
      status: 'succeeded',
      provider: 'stripe',
      provider_reference: charges[0]?.id,
    });
    expect((await pay(customer, unpaid, card, key)).text).to.equal(response.text);
    expect((await stripe().ledger()).charges).to.have.lengthOf(1);
  });

  it('shows why the card was declined, and accepts another card', async () => {
    const declined = await pay(customer, unpaid, 'pm_card_chargeDeclinedInsufficientFunds', key);
    expectError(declined, 'PAYMENT_DECLINED');
    const [payment] = await paymentsOf(customer, unpaid);
    expect(payment.failure).to.deep.equal({
      code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    });
    expectCreated(await pay(customer, unpaid, card), '/v1/payments');
  });

  for (const [fate, code] of [
    ['fail', 'UPSTREAM_FAILED'],
    ['failAfter', 'UPSTREAM_FAILED'],
    ['drop', 'UPSTREAM_FAILED'],
    ['stall', 'UPSTREAM_TIMEOUT'],
  ] as const) {
    it(`responds ${code} when the provider has the fault ${fate}, and settles the payment afterwards`, async () => {
      await stripe().weather({ stallMilliseconds: 1_600 });
      await stripe().script(fate);
      expectError(await pay(customer, unpaid, card, key), code);
      const [payment] = await until(
        () => paymentsOf(customer, unpaid),
        ([only]) => only.status !== 'pending',
      );
      const { charges } = await stripe().ledger();
      expect(charges.map(({ id }) => id)).to.deep.equal(
        payment.provider_reference === null ? [] : [payment.provider_reference],
      );
      const { status } = await orderNow(customer, unpaid);
      expect(status).to.equal(charges.length === 1 ? 'paid' : 'pending');
    });
  }

  it('asks the payer, and shows the consent to those who read the payment', async () => {
    const body = {
      ...{ order_id: unpaid.id, payment_method: 'pm_card_authenticationRequired' },
      ...{ payer_present: true, return_url: 'https://shop.example/back' },
    };
    const response = await customer.post('/v1/payments', body, { 'Idempotency-Key': key });
    const payment = expectCreated(response, '/v1/payments');
    expect(payment).to.include({ status: 'requires_action' });
    expect(payment.next_action).to.have.property('type', 'redirect');
    await stripe().consent(String(payment.provider_reference));
    const read = await until(
      () => customer.get(`/v1/payments/${payment.id}`),
      ({ body: { data } }) => data.status !== 'requires_action',
    );
    expect(read.body.data).to.include({ status: 'succeeded', next_action: null });
    expect((await orderNow(customer, unpaid)).status).to.equal('paid');
  });

  it('records what is paid and refunded offline, and asks Stripe for nothing', async () => {
    const payment = expectCreated(await pay(service.operator, unpaid, 'offline'), '/v1/payments');
    expect(payment).to.include({ status: 'succeeded', provider: 'offline' });
    expectCreated(await refund(service.operator, payment), '/v1/refunds');
    expect((await orderNow(customer, unpaid)).status).to.equal('refunded');
    expect(await stripe().ledger()).to.deep.include({ charges: [], refunds: [] });
  });

  it('refunds once, however the response was lost', async () => {
    const payment = expectCreated(await pay(customer, unpaid, card), '/v1/payments');
    await stripe().script('drop');
    expectError(await refund(service.operator, payment, {}, key), 'UPSTREAM_FAILED');
    const response = await until(
      () => refund(service.operator, payment, {}, key),
      ({ status }) => status === 201,
    );
    const { refunds } = await stripe().ledger();
    expect(refunds.map(({ id }) => id)).to.deep.equal([response.body.data.provider_reference]);
    expect((await orderNow(customer, unpaid)).status).to.equal('refunded');
  });
});

describe('A program that charges by Stripe', () => {
  const stripe = stripeServer();

  it('never shows its secret key or a payment method, whatever fails', async () => {
    const token = 'an-operator-key-that-is-long-enough-for-all';
    const program = new Program('bootstrap/main.mjs', {
      DATABASE_URL: 'memory:',
      PORT: '0',
      OPS_PORT: '0',
      ADMIN_API_KEY: token,
      LOG_LEVEL: 'trace',
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_API_BASE: stripe().url,
    });
    try {
      const serves = await until(
        async () => /^Portico serves (http:\S+)\/v1\n/.exec(program.output)?.[1],
        (url) => url !== undefined,
      );
      const operator = new Client(() => `${serves}`, token);
      const product = await operator.post('/v1/products', { name: 'Tea', price: euros(450) });
      const order = await operator.post('/v1/orders', { product_id: product.body.data.id, quantity: 1 });
      await stripe().weather({ fail: 1 });
      expectError(await pay(operator, order.body.data, card), 'UPSTREAM_FAILED');
      await until(
        async () => program.errors,
        (errors) => errors.includes('Something went wrong on our end.'),
      );
      const said = program.output + program.errors;
      expect(said).to.not.include(secretKey).and.not.include(card);
    } finally {
      await program.kill();
    }
  });
});
