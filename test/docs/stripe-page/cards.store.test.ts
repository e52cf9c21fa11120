import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { secretKey, stripeServer } from '../../adapters/payment/stripe.ts';
import type { Client, Json } from '../../http/support/client.ts';
import { expectCreated, expectError } from '../../http/support/expectations.ts';
import { Service } from '../../http/support/service.ts';
import { newOrder, newProduct, paymentsOf, refund } from '../../http/support/shop.ts';
import { until } from '../../support/until.ts';
import { type TestCard, testCards } from './cards.ts';

/** What the guide says of a card: how the payment begins, and what comes of it. */
const outcome = new RegExp(
  [
    /^(?:`(?<begins>\w+)`(?:, after the consent `(?<consented>\w+)`)?|422, `failed`)(?:: `(?<code>\w+)`)?/,
    /(?:; each time)?(?:; its refund is `(?<refundBegins>\w+)`, later `(?<refundEnds>\w+)`(?:: `(?<refundCode>\w+)`)?)?/,
    /(?:; a dispute `(?<dispute>\w+)`, because `(?<reason>\w+)`)?$/,
  ]
    .map(({ source }) => source)
    .join(''),
);

describe('The guide that takes real cards', () => {
  const stripe = stripeServer();
  let service: Service;
  let customer: Client;
  let staff: Client;
  let product: Json;

  before(async () => {
    service = new Service(
      {
        PAYMENT_PROVIDER: 'stripe',
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_API_BASE: stripe().url,
        PROVIDER_EVENTS_POLL_MS: '200',
      },
      'memory',
    );
    await service.start();
    customer = await service.person('customer');
    staff = await service.person('staff');
    product = await newProduct(service);
  });
  after(() => service.end());

  /**
   * Pays with a card, and holds the shop to what the guide says of it.
   * @returns what waits until the banks have decided
   */
  const pay = async ({ number, method, says }: TestCard): Promise<() => Promise<void>> => {
    const told = outcome.exec(says)?.groups;
    expect(told, number).not.to.equal(undefined);
    const { begins, consented, code, refundBegins, refundEnds, refundCode, dispute, reason } = told ?? {};
    const order = await newOrder(customer, product);
    const body = { order_id: order.id, payment_method: method, payer_present: true };
    const response = await customer.post('/v1/payments', body, { 'Idempotency-Key': randomUUID() });
    const read = async (): Promise<Json> => (await paymentsOf(customer, order))[0];
    if (begins === undefined) {
      expectError(response, 'PAYMENT_DECLINED');
      expect((await read()).failure, number).to.include({ code });
      return async () => undefined;
    }
    const payment = expectCreated(response, '/v1/payments');
    expect(payment.status, number).to.equal(begins);
    if (consented !== undefined) {
      await stripe().consent(`${payment.provider_reference}`);
      const ended = await until(read, ({ status }) => status !== begins);
      expect({ status: ended.status, code: ended.failure?.code }, number).to.deep.equal({
        status: consented,
        code,
      });
    }
    if (dispute !== undefined) {
      const find = async () => (await staff.get(`/v1/disputes?payment_id=${payment.id}`)).body.data;
      const [found] = await until(find, (all) => all.length > 0);
      expect(found, number).to.include({ status: dispute, reason });
    }
    if (refundBegins === undefined) return async () => undefined;
    const { id, status } = expectCreated(await refund(staff, payment), '/v1/refunds');
    expect(status, number).to.equal(refundBegins);
    return async () => {
      const end = async (): Promise<Json> => (await staff.get(`/v1/refunds/${id}`)).body.data;
      const ended = await until(end, (each) => each.status !== refundBegins);
      expect({ status: ended.status, code: ended.failure?.code }, number).to.deep.equal({
        status: refundEnds,
        code: refundCode,
      });
    };
  };

  it('says what Portico shows for each of its cards', async () => {
    const endings = await Promise.all(testCards.map(pay));
    await stripe().banksDecide();
    await Promise.all(endings.map((end) => end()));
  });
});
