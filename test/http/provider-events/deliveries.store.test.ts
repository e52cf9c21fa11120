import { expect } from 'chai';
import { secretKey, stripeServer } from '../../adapters/payment/stripe.ts';
import { freePort } from '../../bootstrap/support/ports.ts';
import { signatureOf } from '../../stripe/webhooks/payload.ts';
import { forEachCase } from '../../support/for-each-case.ts';
import { Metrics } from '../../support/metrics.ts';
import { until } from '../../support/until.ts';
import type { Client, Json } from '../support/client.ts';
import { expectCreated, expectOne } from '../support/expectations.ts';
import { Service } from '../support/service.ts';
import { newOrder, newProduct, pay } from '../support/shop.ts';
import { requestText, Wire } from '../support/wire.ts';
import { path } from './listening.ts';

const [first, second, third] = ['whsec_first', 'whsec_second', 'whsec_third'] as const;
const minute = 60_000;

const signed = (body: string) => signatureOf(body, [first], Date.now());

/** The list of events is never read here: the shop knows only what is sent to it. */
describe('The events that Stripe sends', () => {
  const stripe = stripeServer();
  let service: Service;
  let customer: Client;
  let product: Json;

  before(async () => {
    service = new Service(
      {
        ...{ PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: stripe().url },
        ...{ PROVIDER_EVENTS_PORT: `${await freePort()}`, OPS_PORT: `${await freePort()}` },
        ...{ STRIPE_WEBHOOK_SECRETS: [first, second, third].join(), PROVIDER_EVENTS_POLL_MS: '0' },
      },
      'sqlite',
    );
    await service.start();
    customer = await service.person('customer');
    product = await newProduct(service);
  });
  after(() => service.end());

  const subscribe = (secrets: readonly string[] = [first], payload?: 'snapshot' | 'thin') =>
    stripe().subscribe(service.providerEventsUrl, secrets, payload);

  /** A payment of which no event has been delivered. */
  const paid = async (): Promise<Json> => {
    await stripe().withholdWebhooks();
    const unpaid = await newOrder(customer, product);
    return expectCreated(await pay(customer, unpaid, 'pm_card_visa'), '/v1/payments');
  };

  const becomes = (payment: Json, status: string) =>
    until(
      async () => expectOne(await customer.get(`/v1/payments/${payment.id}`)).status,
      (now) => now === status,
    );

  const count = async (outcome: string) =>
    (await Metrics.of(service.opsUrl)).value('portico_provider_events_received_total', { outcome });

  const statusesOf = (deliveries: readonly { readonly status: number }[]) => [
    ...new Set(deliveries.map(({ status }) => status)),
  ];

  it('make the shop look where they say, as snapshot and as thin events', () =>
    forEachCase(['snapshot', 'thin'], async (payload) => {
      await stripe().reset();
      await subscribe([first], payload);
      const payment = await paid();
      await stripe().refundInDashboard(payment.provider_reference);
      expect(statusesOf(await stripe().deliver())).to.deep.equal([204]);
      await becomes(payment, 'refunded');
    }));

  it('say nothing that is believed: neither the old, nor the repeated, nor the reversed', async () => {
    await subscribe();
    const payment = await paid();
    const { provider_reference: intent } = payment;
    await stripe().refundInDashboard(intent, 100);
    await stripe().refundInDashboard(intent);
    const deliveries = await stripe().deliver({ isReversed: true, copies: 3, version: '2020-08-27' });
    expect(statusesOf(deliveries)).to.deep.equal([204]);
    await becomes(payment, 'refunded');
    const path = `/v1/refunds?payment_id=${payment.id}`;
    const refunds: Json[] = (await service.operator.get(path)).body.data;
    expect(refunds.map(({ status, origin }) => `${status} by ${origin}`)).to.deep.equal(
      refunds.map(() => 'succeeded by provider'),
    );
    expect(refunds.reduce((sum, { amount }) => sum + amount.amount, 0)).to.equal(payment.amount.amount);
  });

  it('are rejected when they are forged or stale, and change nothing', async () => {
    await subscribe();
    const payment = await paid();
    await stripe().refundInDashboard(payment.provider_reference);
    const before = { forged: await count('forged'), stale: await count('stale') };
    const forged = await stripe().deliver({ secret: 'whsec_forged' });
    const stale = await stripe().deliver({ age: 6 * minute });
    expect(statusesOf([...forged, ...stale])).to.deep.equal([401]);
    expect(await count('forged')).to.equal(before.forged + forged.length);
    expect(await count('stale')).to.equal(before.stale + stale.length);
    // A task that they had enqueued would be attempted before that of a later event.
    const other = await paid();
    await stripe().refundInDashboard(other.provider_reference);
    const known = new Set(forged.map(({ event }) => event));
    const events = (await stripe().deliver({ secret: 'whsec_forged' })).map(({ event }) => event);
    const later = events.filter((event) => !known.has(event));
    expect(statusesOf(await stripe().deliver({ events: later, age: 4 * minute }))).to.deep.equal([204]);
    await becomes(other, 'refunded');
    expect(await becomes(payment, 'succeeded')).to.equal('succeeded');
  });

  it('are signed with any of three secrets, while one takes the place of another', async () => {
    for (const secrets of [[first], [second], [third], ['whsec_new', second]] as const) {
      await stripe().reset();
      await subscribe(secrets);
      await paid();
      expect(statusesOf(await stripe().deliver())).to.deep.equal([204]);
    }
    await stripe().reset();
    const endpoint = await subscribe([third]);
    await stripe().rollWebhookSecret(endpoint);
    const payment = await paid();
    // Both secrets sign for a day. Behind it the shop needs the new one.
    expect(statusesOf(await stripe().deliver())).to.deep.equal([204]);
    await stripe().advance(24 * 60 * minute + 1);
    await stripe().refundInDashboard(payment.provider_reference);
    expect(statusesOf(await stripe().deliver())).to.deep.equal([401]);
  });

  it('are stored while the service stops, when they have begun to arrive', async () => {
    const body = JSON.stringify({ type: 'refund.created', data: { object: { id: 're_late' } } });
    const headers = [`Content-Length: ${body.length}`, `Stripe-Signature: ${signed(body)}`];
    const { origin } = new URL(service.providerEventsUrl);
    const wire = await Wire.open(origin);
    wire.write(requestText(`POST ${path}`, [...headers, 'Expect: 100-continue']));
    expect((await wire.answer()).status).to.equal(100);
    wire.write(body.slice(0, -5));
    const stopped = service.stop();
    await until(
      () =>
        fetch(origin).then(
          () => 'open',
          () => 'closed',
        ),
      (state) => state === 'closed',
    );
    const { status, headers: received } = await wire.write(body.slice(-5)).answer();
    expect(status).to.equal(204);
    expect(received.get('Connection')).to.equal('close');
    await stopped;
    const noted = Promise.withResolvers<unknown>();
    await service.whileStopped(async ({ unitOfWork }) => {
      const providerObject = { kind: 'refund', reference: 're_late' } as const;
      noted.resolve(
        await unitOfWork.read(({ reconciliationTasks }) =>
          reconciliationTasks.find('stripe', providerObject),
        ),
      );
    });
    expect(await noted.promise).to.include({ events: 1 });
  });

  it('are accepted for what belongs to no payment here, and for types that tell nothing of money', async () => {
    await subscribe();
    await stripe().withholdWebhooks();
    const { id } = await chargeElsewhere(stripe().url);
    const before = { accepted: await count('accepted'), unknown: await count('unknown_type') };
    const deliveries = await stripe().deliver();
    expect(statusesOf(deliveries)).to.deep.equal([204]);
    expect(await count('accepted')).to.be.greaterThan(before.accepted);
    expect(await count('unknown_type')).to.be.greaterThan(before.unknown);
    const unknown = () =>
      Metrics.of(service.opsUrl).then((page) =>
        page.value('portico_reconciliations_total', { result: 'unknown' }),
      );
    await until(unknown, (looked) => looked > 0);
    expect(id).to.match(/^pi_/);
  });
});

/** A charge on the same account that another program made. */
const chargeElsewhere = async (url: string): Promise<{ readonly id: string }> => {
  const response = await fetch(`${url}/v1/payment_intents`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secretKey}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'amount=500&currency=eur&confirm=true&payment_method=pm_card_visa&allowed_payment_method_types[]=card',
  });
  const charge = (await response.json()) as { readonly id?: string };
  return { id: charge.id ?? expect.fail(JSON.stringify(charge)) };
};
