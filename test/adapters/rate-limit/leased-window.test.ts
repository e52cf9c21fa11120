import { expect } from 'chai';
import { leasedWindowLimiter } from '#adapters/rate-limit/leased-window.ts';
import type { QuotaStore } from '#adapters/support/quota-store.ts';
import { endOfTurn, sleep } from '#adapters/support/time.ts';
import { UnavailableError } from '#application/errors.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import { atOnce, rejectionOf } from '../../contracts/harness.ts';
import { newId } from '../../support/machine.ts';
import { SimulatedTime } from '../../support/simulated-time.ts';

type Options = Parameters<typeof leasedWindowLimiter>[0];

const minute = 60_000;
const alone = { withoutStore: 'count locally' } as const;
const key = () => newId<ApiKeyId>();

/** A store in memory that a test delays or lets fail. Its windows do not end. */
class Store implements QuotaStore {
  readonly #limit: number;
  readonly used = new Map<string, number>();
  resetAt: number;
  statements = 0;
  reads = 0;
  keys = 0;
  purges = 0;
  /** What each statement awaits. */
  obstacle: () => Promise<void> = async () => undefined;

  constructor(limit: number, resetAt: number) {
    this.#limit = limit;
    this.resetAt = resetAt;
  }

  async lease(needs: readonly { readonly key: string; readonly count: number }[]) {
    await this.#open(needs.length);
    return needs.map(({ key, count }) => {
      const used = this.used.get(key) ?? 0;
      const granted = Math.min(count, this.#limit - used);
      this.used.set(key, used + granted);
      return { key, granted, resetAt: this.resetAt, unleased: this.#limit - used - granted };
    });
  }

  async read(keys: readonly string[]) {
    this.reads += 1;
    return keys.map((key) => ({
      key,
      resetAt: this.resetAt,
      unleased: this.#limit - (this.used.get(key) ?? 0),
    }));
  }

  async returnBlocks(blocks: readonly { readonly key: string; readonly count: number }[]) {
    await this.#open(blocks.length);
    return blocks.map(({ key, count }) => {
      const used = (this.used.get(key) ?? 0) - count;
      this.used.set(key, used);
      return { key, resetAt: this.resetAt, unleased: this.#limit - used };
    });
  }

  async purge(): Promise<number> {
    this.purges += 1;
    return 0;
  }

  async #open(keys: number): Promise<void> {
    this.statements += 1;
    this.keys += keys;
    await this.obstacle();
  }
}

const unavailable = async (): Promise<void> => {
  throw new UnavailableError('database-unavailable');
};

/** Whether a request waits for the store. */
const isPending = async (consumed: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([consumed, 'pending'])) === 'pending';

describe('A limiter that leases its quota', () => {
  let time: SimulatedTime;
  const opened: { close(): Promise<void> }[] = [];
  beforeEach(() => {
    time = new SimulatedTime();
  });
  afterEach(async () => {
    await time.settle(Promise.all(opened.splice(0).map((limiter) => limiter.close())));
    time.end();
  });

  const now = () => 1_700_000_000_000 + time.now;

  const open = (limit: number, store = new Store(limit, now() + minute), more: Partial<Options> = {}) => {
    const settings = { quotas: () => store, limit, windowMilliseconds: minute, now };
    const limiter = leasedWindowLimiter({ ...settings, ...more });
    opened.push(limiter);
    return { limiter, store };
  };

  it('calls the store for many requests at once, and rarely for one', async () => {
    const { limiter, store } = open(10_000);
    const caller = key();
    let waited = 0;
    for (let count = 0; count < 9_000; count += 1) {
      const taken = limiter.consume(caller);
      if (await isPending(taken)) waited += 1;
      expect((await taken).allowed).to.equal(true);
      if (count % 50 === 0) await endOfTurn();
    }
    expect(store.statements).to.be.below(90);
    expect(waited).to.be.below(50);
  });

  it('leases for all concurrent keys in one statement', async () => {
    const { limiter, store } = open(10);
    await Promise.all(atOnce(300, async () => limiter.consume(key())));
    expect(store).to.include({ keys: 300 });
    expect(store.statements).to.be.below(3);
  });

  it('rejects a flood without a statement for each request', async () => {
    const { limiter, store } = open(20);
    const caller = key();
    for (let count = 0; count < 20; count += 1) await limiter.consume(caller);
    const before = store.statements;
    for (let count = 0; count < 2_000; count += 1) {
      expect((await limiter.consume(caller)).allowed).to.equal(false);
    }
    expect(store.statements - before).to.be.below(20);
  });

  it('drops a window whose end is implausible after the clock was set back (clock skew)', async () => {
    const store = new Store(5, now() + minute);
    let ahead = 60 * minute;
    store.resetAt += ahead;
    const { limiter } = open(5, store, { now: () => now() + ahead });
    const callers = [key(), key()] as const;
    for (const caller of callers) {
      for (let count = 0; count < 5; count += 1) await limiter.consume(caller);
    }
    expect((await time.settle(limiter.consume(callers[0]))).allowed).to.equal(false);
    ahead = 0;
    store.resetAt = now() + minute;
    const denied = await time.settle(limiter.consume(callers[0]), 2_000);
    expect(denied).to.include({ allowed: false, resetAt: store.resetAt });
    expect(denied.wait).to.be.within(minute - 5_000, minute);
    store.used.delete(callers[1]);
    expect(await time.settle(limiter.consume(callers[1]), 2_000)).to.include({ allowed: true, remaining: 4 });
  });

  it('returns unused quota of all keys at once, and notices what others return', async () => {
    let later = 0;
    const { limiter, store } = open(1000, undefined, { now: () => now() + later });
    const other = open(1000, store).limiter;
    const callers = Array.from({ length: 50 }, key);
    for (const caller of callers) await limiter.consume(caller);
    const before = store.statements;
    later = 5_000;
    await time.passUntil(() => [...store.used.values()].every((count) => count === 1), 1_000);
    expect(store.statements - before).to.be.below(5);
    for (const caller of callers) expect(await other.consume(caller)).to.include({ remaining: 998 });
  });

  it('keeps a small lease while plenty is left, and returns it when others may need it', async () => {
    const { limiter, store } = open(1000);
    const other = open(1000, store).limiter;
    const caller = key();
    await limiter.consume(caller);
    await time.passUntil(() => store.reads >= 2, 1_000);
    const held = (store.used.get(caller) ?? 0) - 1;
    expect(held).to.be.within(1, 10);
    const allowances = await time.settle(Promise.all(atOnce(999, async () => other.consume(caller))));
    expect(allowances.filter(({ allowed }) => allowed)).to.have.lengthOf(999);
    expect((await time.settle(other.consume(caller))).allowed).to.equal(false);
  });

  it('serves many rarely used keys with few statements and little waiting', async () => {
    const { limiter, store } = open(600);
    const callers = Array.from({ length: 200 }, key);
    for (const caller of callers) await limiter.consume(caller);
    const before = store.statements;
    let waited = 0;
    const rounds = 3;
    for (let round = 0; round < rounds; round += 1) {
      await time.pass(700);
      for (const caller of callers) if (await isPending(limiter.consume(caller))) waited += 1;
    }
    expect(waited).to.equal(0);
    expect((store.statements - before) / (rounds * callers.length)).to.be.below(0.1);
  });

  it('counts alone while the store is unavailable, if configured, and lets it count later', async () => {
    const { limiter, store } = open(20, undefined, alone);
    const caller = key();
    store.obstacle = unavailable;
    const allowances = await Promise.all(atOnce(25, async () => limiter.consume(caller)));
    expect(allowances.map(({ remaining }) => remaining)).to.deep.equal(
      Array.from({ length: 25 }, (_, index) => Math.max(0, 19 - index)),
    );
    expect(allowances.filter(({ allowed }) => allowed)).to.have.lengthOf(20);
    expect(new Set(allowances.map(({ resetAt }) => resetAt)).size).to.equal(1);
    store.obstacle = async () => undefined;
    await time.passUntil(() => store.used.get(caller) === 20, 1_000);
    expect(await limiter.consume(caller)).to.include({ allowed: false, remaining: 0 });
  });

  it('counts alone after the store times out, and counts nothing twice', async () => {
    const { limiter, store } = open(1000, undefined, alone);
    const caller = key();
    const silence = Promise.withResolvers<void>();
    store.obstacle = () => silence.promise;
    const begun = time.now;
    const first = await time.settle(Promise.all(atOnce(5, async () => limiter.consume(caller))), 1_000);
    // A sweep each 50 ms notices that the store has taken longer than 50 ms.
    expect(time.now - begun).to.be.within(50, 60);
    expect(first.map(({ remaining }) => remaining)).to.deep.equal([999, 998, 997, 996, 995]);
    for (let left = 994; left >= 900; left -= 1) {
      const consumed = limiter.consume(caller);
      expect(await isPending(consumed)).to.equal(false);
      expect(await consumed).to.include({ allowed: true, remaining: left });
    }
    silence.resolve();
    await time.passUntil(() => (store.used.get(caller) ?? 0) >= 100, 1_000);
    expect(await limiter.consume(caller)).to.include({ allowed: true, remaining: 899 });
  });

  it('returns its leases when it is closed', async () => {
    const { limiter, store } = open(1000);
    const callers = Array.from({ length: 10 }, key);
    for (const caller of callers) await limiter.consume(caller);
    await limiter.close();
    expect([...store.used.values()]).to.deep.equal(callers.map(() => 1));
  });

  it('consumes its leases while the store is unavailable, then rejects, and recovers by itself', async () => {
    const { limiter, store } = open(1000);
    const caller = key();
    await limiter.consume(caller);
    store.obstacle = unavailable;
    let allowed = 0;
    let refusal: unknown;
    while (!(refusal instanceof Error)) {
      refusal = await limiter.consume(caller).catch((error: unknown) => error);
      if (!(refusal instanceof Error)) allowed += 1;
      await time.pass(10);
    }
    expect(refusal).to.include({ kind: 'unavailable' });
    expect(allowed).to.be.within(1, 20);
    expect(await rejectionOf(limiter.consume(key()))).to.include({ kind: 'unavailable' });
    store.obstacle = async () => undefined;
    expect(await limiter.consume(caller)).to.include({ allowed: true });
    expect(await limiter.consume(key())).to.include({ allowed: true, remaining: 999 });
  });

  it('lets no request wait for a store that times out, and uses a late response', async () => {
    const { limiter, store } = open(1000);
    const caller = key();
    const silence = Promise.withResolvers<void>();
    store.obstacle = () => silence.promise;
    const begun = time.now;
    const refusals = await time.settle(
      Promise.all(atOnce(5, () => rejectionOf(limiter.consume(caller)))),
      10_000,
    );
    expect(time.now - begun).to.be.within(2_000, 2_100);
    for (const refusal of refusals) expect(refusal).to.include({ kind: 'unavailable' });
    expect(await rejectionOf(limiter.consume(key()))).to.include({ kind: 'unavailable' });
    silence.resolve();
    await time.passUntil(() => store.used.get(caller) === 0, 10_000);
    expect(await limiter.consume(caller)).to.include({ allowed: true, remaining: 999 });
  });

  it('returns quota to its own window only', async () => {
    const limit = 100;
    const store = new Store(limit, now() + minute);
    const given: number[] = [];
    let resetAt = now() + 300;
    const quotas: QuotaStore = {
      lease: async (needs) => {
        await sleep(5);
        if (now() >= resetAt) resetAt += 300;
        return (await store.lease(needs)).map((state) => ({ ...state, resetAt }));
      },
      returnBlocks: async (blocks) => {
        await sleep(5);
        for (const rest of blocks) if (rest.resetAt === resetAt) given.push(rest.count);
        return [];
      },
      read: async () => [],
      purge: async () => 0,
    };
    const limiter = leasedWindowLimiter({
      quotas: () => quotas,
      limit,
      windowMilliseconds: 300,
      now,
    });
    const caller = key();
    const first = await time.settle(limiter.consume(caller), 100);
    await time.pass(first.resetAt - now() + 1);
    const next = limiter.consume(caller);
    await time.settle(limiter.close(), 200);
    expect((await next).resetAt).to.be.above(first.resetAt);
    expect(given).to.deep.equal([1]);
  });

  it('tries the store again half a second after a failure where it counts alone', async () => {
    const { limiter, store } = open(1000, undefined, alone);
    const caller = key();
    await limiter.consume(caller);
    store.obstacle = unavailable;
    await Promise.all(atOnce(900, async () => limiter.consume(caller)));
    const { statements } = store;
    await time.pass(450, 10);
    expect(store.statements).to.equal(statements);
    await time.pass(150, 10);
    expect(store.statements).to.be.greaterThan(statements);
  });

  it('is closed after two seconds at most when the store does not respond', async () => {
    const { limiter, store } = open(1000);
    await limiter.consume(key());
    const silence = Promise.withResolvers<void>();
    store.obstacle = () => silence.promise;
    const begun = time.now;
    await time.settle(limiter.close(), 10_000);
    expect(time.now - begun).to.be.within(1_950, 2_100);
    silence.resolve();
  });

  it('deletes ended windows from the store each one to two minutes', async () => {
    const { store } = open(1000);
    await time.pass(minute - 1_000);
    expect(store.purges).to.equal(0);
    await time.pass(minute + 2_000);
    expect(store.purges).to.equal(1);
  });
});
