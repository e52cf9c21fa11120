import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Client, Json } from '../../http/support/client.ts';
import { expectCreated, expectError } from '../../http/support/expectations.ts';
import { Service } from '../../http/support/service.ts';
import { newOrder, newProduct, once, orderNow, pay, paymentsOf, refund } from '../../http/support/shop.ts';
import { sdkAt } from '../../stripe/sdk/sdk.ts';
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
        STRIPE_METHODS: 'card,sepa_debit',
        PROVIDER_EVENTS_POLL_MS: '100',
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

  it('responds UPSTREAM_FAILED when the provider fails or its response is lost, and settles the payment afterwards', async () => {
    for (const fate of ['fail', 'failAfter', 'drop'] as const) {
      const order = await newOrder(customer, product);
      await stripe().reset();
      await stripe().script(fate);
      expectError(await pay(customer, order, card), 'UPSTREAM_FAILED');
      const [payment] = await until(
        () => paymentsOf(customer, order),
        ([only]) => only.status !== 'pending',
      );
      const { charges } = await stripe().ledger();
      expect(charges.map(({ id }) => id)).to.deep.equal(
        payment.provider_reference === null ? [] : [payment.provider_reference],
      );
      const { status } = await orderNow(customer, order);
      expect(status, fate).to.equal(charges.length === 1 ? 'paid' : 'pending');
    }
  });

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

  it('pays by a ConfirmationToken for a debit, which is processed first and then ends as the bank decides', async () => {
    const { confirmationTokens } = sdkAt(stripe().url, 'sk_test_1').testHelpers;
    const token = async (payment_method: string) => (await confirmationTokens.create({ payment_method })).id;
    const processed = async (method: string) => {
      const order = await newOrder(customer, product);
      const body = { order_id: order.id, payment_method: await token(method), payer_present: true };
      const payment = expectCreated(await customer.post('/v1/payments', body, once()), '/v1/payments');
      expect(payment).to.include({ status: 'processing', next_action: null });
      const again = { ...body, payment_method: await token(card) };
      expectError(await customer.post('/v1/payments', again, once()), 'INVALID_STATE');
      return order;
    };
    const agreed = await processed('pm_success_de');
    const rejected = await processed('pm_failed_de');
    await stripe().banksDecide();
    for (const [order, ends, becomes] of [
      [agreed, 'succeeded', 'paid'],
      [rejected, 'failed', 'pending'],
    ]) {
      const [ended] = await until(
        () => paymentsOf(customer, order),
        ([only]) => only.status !== 'processing',
      );
      expect(ended.status).to.equal(ends);
      expect((await orderNow(customer, order)).status).to.equal(becomes);
    }
  });
});
