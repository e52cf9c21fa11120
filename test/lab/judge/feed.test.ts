import { expect } from 'chai';
import { type Feed, judgeFeed } from './feed.ts';
import type { Draft } from './world.ts';

const event = (sequence: number, type: string, subjectId: string, version: number, status: string) => ({
  ...{ sequence, id: `id-${sequence}`, type, subjectId, version, status },
});

/** An order that is paid: its begin is not told, as the payment's. */
const goodFeed = (): Draft<Feed> => ({
  events: [
    event(1, 'order.created', 'order-1', 1, 'pending'),
    event(2, 'payment.succeeded', 'payment-1', 2, 'succeeded'),
    event(3, 'order.paid', 'order-1', 3, 'paid'),
    event(4, 'refund.pending', 'refund-1', 1, 'pending'),
    event(5, 'refund.succeeded', 'refund-1', 2, 'succeeded'),
  ],
  queued: 0,
  orders: [{ id: 'order-1', version: 3, status: 'paid' }],
  payments: [{ id: 'payment-1', version: 2, status: 'succeeded', orderId: 'order-1' }],
  refunds: [{ id: 'refund-1', version: 2, status: 'succeeded' }],
});

const wrongs: [title: string, change: (feed: Draft<Feed>) => void, sign: RegExp][] = [
  ['an event without a sequence', (feed) => Object.assign(feed, { queued: 1 }), /1 events have no sequence/],
  ['a hole', ({ events }) => Object.assign(events[4] ?? {}, { sequence: 6 }), /event 5 has the sequence 6/],
  ['an id that descends', ({ events }) => Object.assign(events[1] ?? {}, { id: 'id-0' }), /no greater id/],
  [
    'a version that is told twice',
    ({ events }) => events.push(event(6, 'order.updated', 'order-1', 3, 'paid')),
    /version 3 after 3/,
  ],
  [
    'a version between that is not told, of what is wholly told',
    ({ events }) =>
      events.push(
        event(6, 'user.created', 'user-1', 1, 'active'),
        event(7, 'user.updated', 'user-1', 3, 'active'),
      ),
    /user.updated of user-1: version 3 after 1/,
  ],
  ['an event that is lost', ({ events }) => events.pop(), /refund-1 has 2 versions and 1 events/],
  [
    'a payment that is told of less than it may be',
    ({ payments }) => Object.assign(payments[0] ?? {}, { version: 4 }),
    /payment-1 has 4 versions and 1 events/,
  ],
  [
    'a last event that tells something else',
    ({ orders }) => Object.assign(orders[0] ?? {}, { status: 'refunded' }),
    /order-1 is refunded, and its last event tells paid/,
  ],
];

describe('The judge of the feed', () => {
  it('finds nothing wrong where each version has its event', () => {
    expect(judgeFeed(goodFeed())).to.deep.equal([]);
  });

  for (const [title, change, sign] of wrongs) {
    it(`finds ${title}`, () => {
      const feed = goodFeed();
      change(feed);
      const details = judgeFeed(feed).map(({ kind, detail }) => `${kind}: ${detail}`);
      expect(
        details.some((detail) => sign.test(detail)),
        details.join(),
      ).to.equal(true);
    });
  }
});
