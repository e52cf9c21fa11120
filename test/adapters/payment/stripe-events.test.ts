import { expect } from 'chai';
import { eventTypes, providerObjectOf } from '#adapters/payment/stripe/events/event-types.ts';
import { Instant } from '#domain/instant.ts';
import { aCharge, referenceOf } from '../../contracts/payment-provider.ts';
import { cannedServers, openOutcomeOf, stripeAt, stripeServer } from './stripe.ts';

const begin = Date.UTC(2027, 0, 1) / 1000;

describe('Stripe’s list of events', () => {
  const stripe = stripeServer();
  const canned = cannedServers();
  const provider = () => stripeAt(stripe().url);
  const since = (milliseconds: number) => provider().lifecycle.listProviderEvents(Instant.at(milliseconds));

  it('names charges, refunds and disputes, and the time of the newest event', async () => {
    const begunSecond = Math.floor(Date.now() / 1000);
    const reference = await referenceOf(provider().charge(aCharge('pm_card_visa')));
    const refund = await stripe().refundInDashboard(reference, 10);
    const dispute = await stripe().dispute(reference, { amount: 10 });
    const { events, newest } = await since(Date.now() - 60_000);
    expect(new Set(events.map((each) => `${each.kind} ${each.reference}`))).to.deep.equal(
      new Set([`charge ${reference}`, `refund ${refund}`, `dispute ${dispute}`]),
    );
    expect(new Set(events.map(({ eventId }) => eventId)).size).to.equal(events.length);
    expect(Instant.milliseconds(newest ?? Instant.at(0))).to.be.within(begunSecond * 1000, Date.now());
  });

  it('is read from a time on', async () => {
    await provider().charge(aCharge('pm_card_visa'));
    expect(await since(Date.now() + 60_000)).to.deep.equal({ events: [], newest: null });
  });

  it('is read over several pages', async () => {
    for (let made = 0; made < 150; made += 1) await provider().charge(aCharge('pm_card_visa'));
    expect((await since(Date.now() - 3_600_000)).events).to.have.lengthOf(150);
  });

  /** A list with one event each so many seconds, of which the last page never comes when it has no end. */
  const listOf = (count: number, secondsApart: number) => {
    const all = Array.from({ length: count }, (_, index) => ({
      ...{ id: `evt_${index}`, type: 'payment_intent.succeeded', created: begin + index * secondsApart },
      data: { object: { id: `pi_${index}` } },
    })).reverse();
    return (form: URLSearchParams) => {
      const until = Number(form.get('created[lt]') ?? Number.POSITIVE_INFINITY);
      const within = all.filter(
        ({ created }) => created >= Number(form.get('created[gte]')) && created < until,
      );
      const after = within.findIndex(({ id }) => id === form.get('starting_after')) + 1;
      return { data: within.slice(after, after + 100), has_more: within.length > after + 100 };
    };
  };

  it('is read from its oldest events when it is too long for one call, until all were read', async () => {
    for (const [count, apart] of [
      [5_000, 60],
      [4_000, 1],
    ] as const) {
      const server = await canned({ 'GET /v1/events': listOf(count, apart) });
      const { listProviderEvents } = stripeAt(server.url).lifecycle;
      const read = new Set<string>();
      let from = Instant.at(begin * 1000 - 20 * 86_400_000);
      for (let calls = 0; read.size < count && calls < 40; calls += 1) {
        const { events, newest } = await listProviderEvents(from);
        for (const { eventId } of events) read.add(eventId);
        expect(newest).to.not.equal(null);
        from = Instant.plus(newest ?? from, -300_000);
      }
      expect(read.size).to.equal(count);
    }
  });

  it('cannot be read when the shortest period has too many events', async () => {
    const server = await canned({ 'GET /v1/events': listOf(11_000, 0) });
    const { listProviderEvents } = stripeAt(server.url).lifecycle;
    const rejection = await openOutcomeOf(listProviderEvents(Instant.at(begin * 1000)), 'provider-failed');
    expect(rejection.message).to.match(/too many events/);
  });

  it('is asked for at most 20 types, each of which names a place, also as a thin event', () => {
    expect(eventTypes.length).to.be.within(1, 20);
    for (const type of eventTypes) {
      const providerObject = providerObjectOf(type, 'xx_1');
      expect(providerObject).to.have.property('reference', 'xx_1');
      expect(providerObjectOf(`v1.${type}`, 'xx_1')).to.deep.equal(providerObject);
      for (const id of ['', 'xx', '../a', 'xx_1/../b', 'xx_1?a=b'])
        expect(providerObjectOf(type, id)).to.equal(undefined);
    }
    expect(providerObjectOf('customer.created', 'cus_1')).to.equal(undefined);
  });
});
