import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { eventTypes } from '#adapters/payment/stripe/events/events.ts';
import { paymentStatuses } from '#domain/payment.ts';
import { secretKey, stripeServer } from '../../adapters/payment/stripe.ts';
import type { Client, Json } from '../../http/support/client.ts';
import { expectCreated, expectError } from '../../http/support/expectations.ts';
import { Service } from '../../http/support/service.ts';
import { newOrder, newProduct, paymentsOf, refund } from '../../http/support/shop.ts';
import { paymentMethods } from '../../stripe/payment-methods.ts';
import { until } from '../../support/until.ts';
import { testCards } from './cards.ts';

const guide = readFileSync(new URL('../../../docs/guides/take-real-cards.md', import.meta.url), 'utf8');

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

  it('lists cards that Stripe has, each once', () => {
    expect(testCards.length).to.be.at.least(15);
    expect(new Set(testCards.map(({ number }) => number)).size).to.equal(testCards.length);
    for (const { method } of testCards) expect([...paymentMethods.keys()]).to.include(method);
  });

  it('says what to show for each status of a payment', () => {
    const [, table = ''] = /^## What to show\n(.*?)^## /ms.exec(guide) ?? [];
    const rows = [...table.matchAll(/^\| (`.+?`) \|/gm)].map(([, cell = '']) => cell.replaceAll('`', ''));
    expect(rows.flatMap((cell) => cell.split(', '))).to.have.members(paymentStatuses);
  });

  it('subscribes the webhook to the types of events that Portico understands', () => {
    const [, types = ''] = /^TYPES='([^']+)'$/m.exec(guide) ?? [];
    expect(types.split(/\s+/).toSorted()).to.deep.equal(eventTypes.toSorted());
  });

  for (const { number, method, says } of testCards)
    it(`says what Portico shows for ${number}`, async () => {
      const told = outcome.exec(says)?.groups;
      expect(told, says).not.to.equal(undefined);
      const { begins, consented, code, refundBegins, refundEnds, refundCode, dispute, reason } = told ?? {};
      const order = await newOrder(customer, product);
      const body = { order_id: order.id, payment_method: method, payer_present: true };
      const response = await customer.post('/v1/payments', body, { 'Idempotency-Key': randomUUID() });
      const read = async (): Promise<Json> => (await paymentsOf(customer, order))[0];
      if (begins === undefined) {
        expectError(response, 'PAYMENT_DECLINED');
        expect((await read()).failure).to.include({ code });
        return;
      }
      const payment = expectCreated(response, '/v1/payments');
      expect(payment.status).to.equal(begins);
      if (consented !== undefined) {
        await stripe().consent(`${payment.provider_reference}`);
        const ended = await until(read, ({ status }) => status !== begins);
        expect({ status: ended.status, code: ended.failure?.code }).to.deep.equal({
          status: consented,
          code,
        });
      }
      if (refundBegins !== undefined) {
        const { id, status } = expectCreated(await refund(staff, payment), '/v1/refunds');
        expect(status).to.equal(refundBegins);
        await stripe().banksDecide();
        const end = async (): Promise<Json> => (await staff.get(`/v1/refunds/${id}`)).body.data;
        const ended = await until(end, (each) => each.status !== refundBegins);
        expect({ status: ended.status, code: ended.failure?.code }).to.deep.equal({
          status: refundEnds,
          code: refundCode,
        });
      }
      if (dispute !== undefined) {
        const find = async () => (await staff.get(`/v1/disputes?payment_id=${payment.id}`)).body.data;
        const [found] = await until(find, (all) => all.length > 0);
        expect(found).to.include({ status: dispute, reason });
      }
    });
});
