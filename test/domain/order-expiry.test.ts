import { expect } from 'chai';
import { Instant } from '#domain/instant.ts';
import { Order } from '#domain/order.ts';
import { OrderExpiry } from '#domain/order-expiry.ts';
import { aPurchase, later } from '#test/contracts/samples.ts';
import { domainErrorOf } from './domain-error.ts';

const lifetimeMs = 60_000;

describe('The second try to pay an order', () => {
  const paying: Order = { ...aPurchase().order, status: 'pending', paying: true, unlockedAt: null };
  const { createdAt } = paying;

  /** The order after a lock that ended so long after its creation. */
  const unlockedAfter = (order: Order, ms: number, lifetime = lifetimeMs): Order =>
    Order.abandonPayment({ ...order, paying: true }, Instant.plus(createdAt, ms), lifetime);

  it('begins when a lock first ends after the lifetime of the order, and never anew', () => {
    const inTime = unlockedAfter(paying, lifetimeMs);
    expect(OrderExpiry.hasSecondTry(inTime, lifetimeMs)).to.equal(false);
    const first = unlockedAfter(inTime, lifetimeMs + 1);
    expect(first.unlockedAt).to.equal(Instant.plus(createdAt, lifetimeMs + 1));
    expect(OrderExpiry.hasSecondTry(first, lifetimeMs)).to.equal(true);
    expect(unlockedAfter(first, lifetimeMs + 2).unlockedAt).to.equal(first.unlockedAt);
  });

  it('is not needed by an order that waits for ever', () => {
    const first = unlockedAfter(paying, 1, 0);
    expect(unlockedAfter(first, 2, 0).unlockedAt).to.equal(Instant.plus(createdAt, 2));
    expect(OrderExpiry.hasSecondTry(first, 0)).to.equal(false);
  });

  it('is over after 15 minutes, and then no payment begins', () => {
    const unlockedAt = Instant.plus(createdAt, lifetimeMs + 1);
    const open: Order = { ...paying, paying: false, unlockedAt };
    const begin = (ms: number) => Order.beginPayment(open, Instant.plus(unlockedAt, ms), lifetimeMs);
    expect(begin(15 * 60_000 - 1).paying).to.equal(true);
    expect(domainErrorOf(() => begin(15 * 60_000)).kind).to.equal('invalid-state');
    expect(Order.beginPayment({ ...open, unlockedAt: null }, later(99), lifetimeMs).paying).to.equal(true);
  });
});
