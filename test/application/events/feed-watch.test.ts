import { expect } from 'chai';
import { FeedWatch } from '#application/events/feed-watch.ts';
import type { Feed } from '#application/ports/events.ts';
import type { ReadRepositories } from '#application/ports/repositories.ts';
import type { Event } from '#domain/event.ts';
import { SimulatedTime } from '#test/support/simulated-time.ts';

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
  let time: SimulatedTime;
  const errors: unknown[] = [];
  /** From the begin of a poll to that of the next, in milliseconds. */
  const pollMs = 110;

  beforeEach(() => {
    errors.length = 0;
    time = new SimulatedTime();
    feed = new FakeFeed();
    watch = new FeedWatch({ unitOfWork: feed, report: (error) => errors.push(error) });
  });
  afterEach(() => time.end());

  const pass = (milliseconds: number) => time.pass(milliseconds, 1);

  /** Whether it wakes within a time. */
  const wakes = async (changed: Promise<void>, milliseconds: number): Promise<boolean> => {
    let isAwake = false;
    void changed.then(() => {
      isAwake = true;
    });
    await pass(milliseconds);
    return isAwake;
  };

  /** A subscription that has seen all there is. */
  const calm = async (concerns: (event: Event) => boolean = () => true) => {
    const subscription = watch.subscribe(watch.last, concerns);
    const stop = new AbortController();
    const changed = subscription.changed(stop.signal);
    await pass(pollMs);
    stop.abort();
    await changed;
    return subscription;
  };

  it('reads nothing while no one waits', async () => {
    watch.notify();
    await pass(2 * pollMs);
    expect(feed.polls).to.equal(0);
    const subscription = await calm();
    subscription.end();
    await pass(2 * pollMs);
    const { polls } = feed;
    watch.notify();
    await pass(3 * pollMs);
    expect(feed.polls).to.equal(polls);
  });

  it('wakes for an event of another process within 110 ms', async () => {
    const subscription = await calm();
    const changed = subscription.changed(never);
    expect(await wakes(changed, 2 * pollMs)).to.equal(false);
    feed.append('order.created');
    expect(await wakes(changed, pollMs)).to.equal(true);
    subscription.end();
  });

  it('wakes within 10 ms for an event of this process', async () => {
    const subscription = await calm();
    const changed = subscription.changed(never);
    await pass(50);
    feed.append('order.created');
    watch.notify();
    expect(await wakes(changed, 10)).to.equal(true);
    subscription.end();
  });

  it('wakes only those whom an event concerns', async () => {
    const orders = await calm(({ type }) => type === 'order.created');
    const products = await calm(({ type }) => type === 'product.created');
    const [order, product] = [orders.changed(never), products.changed(never)];
    feed.append('product.created');
    expect(await wakes(product, pollMs)).to.equal(true);
    expect(await wakes(order, 2 * pollMs)).to.equal(false);
    feed.append('order.created');
    expect(await wakes(order, pollMs)).to.equal(true);
    orders.end();
    products.end();
  });

  it('keeps an event for a subscriber that does not wait at that moment', async () => {
    const subscription = await calm();
    feed.append('order.created');
    await pass(pollMs);
    expect(await wakes(subscription.changed(never), 1)).to.equal(true);
    expect(await wakes(subscription.changed(never), 2 * pollMs), 'once').to.equal(false);
    subscription.end();
  });

  it('wakes a subscriber that has read the feed before an event was found', async () => {
    const first = await calm();
    const before = watch.last;
    feed.append('order.created');
    await pass(pollMs);
    const late = watch.subscribe(before, ({ type }) => type === 'product.created');
    expect(await wakes(late.changed(never), 1)).to.equal(true);
    first.end();
    late.end();
  });

  it('wakes all when there are too many events to read, or the feed is another one', async () => {
    const orders = await calm(({ type }) => type === 'order.created');
    feed.append(...Array.from({ length: 101 }, () => 'product.created' as const));
    expect(await wakes(orders.changed(never), pollMs)).to.equal(true);
    expect(watch.last).to.equal(101);
    feed.id = 'two';
    feed.sequences = [];
    expect(await wakes(orders.changed(never), pollMs)).to.equal(true);
    expect(watch.last).to.equal(0);
    feed.append('order.created');
    expect(await wakes(orders.changed(never), pollMs)).to.equal(true);
    orders.end();
  });

  it('tells its listeners of events of this process alone, also while no one waits', async () => {
    let calls = 0;
    watch.listen(() => {
      calls += 1;
    });
    const subscription = await calm();
    feed.append('order.created');
    await pass(pollMs);
    subscription.end();
    expect(calls).to.equal(0);
    watch.notify();
    expect(calls).to.equal(1);
  });

  it('polls once for many, and not more often than every ten milliseconds', async () => {
    const subscriptions = await Promise.all(Array.from({ length: 50 }, () => calm(() => false)));
    await pass(pollMs);
    const { polls } = feed;
    for (let count = 0; count < 200; count += 1) {
      feed.append('order.created');
      watch.notify();
      await pass(1);
    }
    expect(feed.polls - polls).to.be.within(19, 21);
    for (const subscription of subscriptions) subscription.end();
  });

  it('tries again a second after an error, which it reports', async () => {
    const subscription = await calm();
    feed.isAway = true;
    await pass(pollMs);
    expect(errors).to.have.lengthOf(1);
    feed.isAway = false;
    feed.append('order.created');
    const changed = subscription.changed(never);
    expect(await wakes(changed, 1_000 - pollMs)).to.equal(false);
    expect(await wakes(changed, 2 * pollMs)).to.equal(true);
    expect(errors).to.have.lengthOf(1);
    subscription.end();
  });

  it('stops to wait when the signal aborts', async () => {
    const subscription = await calm();
    expect(await wakes(subscription.changed(AbortSignal.abort()), 1)).to.equal(true);
    const stop = new AbortController();
    const changed = subscription.changed(stop.signal);
    expect(await wakes(changed, 50)).to.equal(false);
    stop.abort();
    expect(await wakes(changed, 1)).to.equal(true);
    subscription.end();
  });
});
