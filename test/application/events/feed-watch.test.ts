import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { FeedWatch } from '#application/events/feed-watch.ts';
import type { Feed } from '#application/ports/events.ts';
import type { ReadRepositories } from '#application/ports/repositories.ts';
import type { Event } from '#domain/event.ts';

const never = new AbortController().signal;

/** A feed of which each event has only a sequence and a type. */
class FakeFeed {
  id = 'one';
  sequences: Pick<Event, 'sequence' | 'type'>[] = [];
  polls = 0;
  pages = 0;
  isAway = false;

  append(...types: Event['type'][]): void {
    for (const type of types) this.sequences.push({ sequence: this.sequences.length + 1, type });
  }

  read = async <T>(reading: (repositories: ReadRepositories) => Promise<T>): Promise<T> => {
    const events = {
      feed: async (): Promise<Feed> => {
        this.polls += 1;
        if (this.isAway) throw new Error('away');
        return { id: this.id, first: 1, last: this.sequences.length };
      },
      page: async (_filter: object, { after, limit }: { readonly after: number; readonly limit: number }) => {
        this.pages += 1;
        const rows = this.sequences.slice(after, after + limit);
        return { rows, hasMore: after + limit < this.sequences.length };
      },
    };
    return reading({ events } as unknown as ReadRepositories);
  };
}

describe('The watch over the feed', () => {
  let feed: FakeFeed;
  let watch: FeedWatch;
  const errors: unknown[] = [];
  const pollMs = 60;

  beforeEach(() => {
    errors.length = 0;
    feed = new FakeFeed();
    watch = new FeedWatch({ unitOfWork: feed, report: (error) => errors.push(error), pollMs });
  });

  /** Whether it wakes within a time. */
  const wakes = async (changed: Promise<void>, milliseconds: number): Promise<boolean> =>
    Promise.race([changed.then(() => true), pause(milliseconds, false)]);

  /** A subscription that has seen all there is. */
  const calm = async (concerns: (event: Event) => boolean = () => true) => {
    const subscription = watch.subscribe(watch.last, concerns);
    await subscription.changed(AbortSignal.timeout(3 * pollMs));
    return subscription;
  };

  it('reads nothing while no one waits', async () => {
    watch.notify();
    await pause(2 * pollMs);
    expect(feed.polls).to.equal(0);
    const subscription = await calm();
    subscription.end();
    await pause(2 * pollMs);
    const { polls } = feed;
    watch.notify();
    await pause(3 * pollMs);
    expect(feed.polls).to.equal(polls);
  });

  it('wakes for an event of another process within a poll', async () => {
    const subscription = await calm();
    const changed = subscription.changed(never);
    expect(await wakes(changed, 2 * pollMs)).to.equal(false);
    feed.append('order.created');
    expect(await wakes(changed, 4 * pollMs)).to.equal(true);
    subscription.end();
  });

  it('wakes at once for an event of this process', async () => {
    const patient = new FeedWatch({ unitOfWork: feed, report: () => undefined, pollMs: 60_000 });
    const subscription = patient.subscribe(patient.last, () => true);
    await subscription.changed(AbortSignal.timeout(100));
    const changed = subscription.changed(never);
    feed.append('order.created');
    patient.notify();
    expect(await wakes(changed, 200)).to.equal(true);
    subscription.end();
  });

  it('wakes only those whom an event concerns', async () => {
    const orders = await calm(({ type }) => type === 'order.created');
    const products = await calm(({ type }) => type === 'product.created');
    const [order, product] = [orders.changed(never), products.changed(never)];
    feed.append('product.created');
    expect(await wakes(product, 4 * pollMs)).to.equal(true);
    expect(await wakes(order, 2 * pollMs)).to.equal(false);
    feed.append('order.created');
    expect(await wakes(order, 4 * pollMs)).to.equal(true);
    orders.end();
    products.end();
  });

  it('keeps an event for a subscriber that does not wait at that moment', async () => {
    const subscription = await calm();
    feed.append('order.created');
    await pause(3 * pollMs);
    expect(await wakes(subscription.changed(never), 5)).to.equal(true);
    expect(await wakes(subscription.changed(never), 2 * pollMs), 'once').to.equal(false);
    subscription.end();
  });

  it('wakes a subscriber that has read the feed before an event was found', async () => {
    const first = await calm();
    const before = watch.last;
    feed.append('order.created');
    await pause(3 * pollMs);
    const late = watch.subscribe(before, ({ type }) => type === 'product.created');
    expect(await wakes(late.changed(never), 5)).to.equal(true);
    first.end();
    late.end();
  });

  it('wakes all when there are too many events to read, or the feed is another one', async () => {
    const orders = await calm(({ type }) => type === 'order.created');
    feed.append(...Array.from({ length: 101 }, () => 'product.created' as const));
    expect(await wakes(orders.changed(never), 4 * pollMs)).to.equal(true);
    expect(watch.last).to.equal(101);
    feed.id = 'two';
    feed.sequences = [];
    expect(await wakes(orders.changed(never), 4 * pollMs)).to.equal(true);
    expect(watch.last).to.equal(0);
    feed.append('order.created');
    expect(await wakes(orders.changed(never), 4 * pollMs)).to.equal(true);
    orders.end();
  });

  it('tells its listeners of events of this process alone, also while no one waits', async () => {
    let calls = 0;
    watch.listen(() => {
      calls += 1;
    });
    const subscription = await calm();
    feed.append('order.created');
    await pause(3 * pollMs);
    subscription.end();
    expect(calls).to.equal(0);
    watch.notify();
    expect(calls).to.equal(1);
  });

  it('polls once for many, and not more often than every ten milliseconds', async () => {
    const subscriptions = await Promise.all(Array.from({ length: 50 }, () => calm(() => false)));
    const { polls } = feed;
    const until = performance.now() + 200;
    while (performance.now() < until) {
      feed.append('order.created');
      watch.notify();
      await pause(1);
    }
    expect(feed.polls - polls).to.be.within(2, 22);
    for (const subscription of subscriptions) subscription.end();
  });

  it('goes on after an error, which it reports', async () => {
    const subscription = await calm();
    feed.isAway = true;
    await pause(3 * pollMs);
    feed.isAway = false;
    feed.append('order.created');
    expect(await wakes(subscription.changed(never), 3_000)).to.equal(true);
    expect(errors).to.have.lengthOf(1);
    subscription.end();
  });

  it('stops to wait when the signal aborts', async () => {
    const subscription = await calm();
    expect(await wakes(subscription.changed(AbortSignal.abort()), 5)).to.equal(true);
    expect(await wakes(subscription.changed(AbortSignal.timeout(20)), 200)).to.equal(true);
    subscription.end();
  });
});
