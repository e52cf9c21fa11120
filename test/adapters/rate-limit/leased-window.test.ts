import { expect } from 'chai';
import { leasedWindowLimiter } from '#adapters/rate-limit/leased-window.ts';
import type { QuotaStore } from '#adapters/support/quota-store.ts';
import { endOfTurn } from '#adapters/support/time.ts';
import { atOnce } from '../../contracts/harness.ts';

import { isPending, key, limitersOfEachTest, minute, Store } from './leased-limiters.ts';

describe('A limiter that leases its quota', () => {
  const { time, now, open, pause } = limitersOfEachTest();

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

  for (const [step, milliseconds] of [
    ['forward by ten minutes', 10 * minute],
    ['back by three hours', -180 * minute],
  ] as const) {
    it(`allows a key its whole limit after the clock of the store was set ${step}, and has it measured`, async () => {
      let measured = 0;
      let ahead = 0;
      const store = new Store(600, now() + milliseconds + minute);
      const onMistimed = () => {
        measured += 1;
      };
      const { limiter } = open(600, store, { now: () => now() + ahead, onMistimed });
      const caller = key();
      for (let count = 0; count < 300; count += 1) {
        const { allowed, wait } = await time.settle(limiter.consume(caller), 2_000);
        expect(allowed, `request ${count}`).to.equal(true);
        expect(wait).to.be.within(0, minute);
        if (count % 50 === 0) await time.pass(100);
      }
      expect(measured).to.be.greaterThan(0);
      expect(store.used.get(caller)).to.be.within(300, 310);
      ahead = milliseconds;
      measured = 0;
      for (let count = 300; count < 600; count += 1)
        expect(await time.settle(limiter.consume(caller), 2_000)).to.include({ allowed: true });
      expect(measured).to.equal(0);
      expect((await time.settle(limiter.consume(caller), 2_000)).allowed).to.equal(false);
    });
  }

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

  it('returns its leases when it is closed', async () => {
    const { limiter, store } = open(1000);
    const callers = Array.from({ length: 10 }, key);
    for (const caller of callers) await limiter.consume(caller);
    await limiter.close();
    expect([...store.used.values()]).to.deep.equal(callers.map(() => 1));
  });

  it('returns quota to its own window only', async () => {
    const limit = 100;
    const store = new Store(limit, now() + minute);
    const given: number[] = [];
    let resetAt = now() + 300;
    const quotas: QuotaStore = {
      lease: async (needs) => {
        await pause(5);
        if (now() >= resetAt) resetAt += 300;
        return (await store.lease(needs)).map((state) => ({ ...state, resetAt }));
      },
      returnBlocks: async (blocks) => {
        await pause(5);
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

  it('deletes ended windows from the store each one to two minutes', async () => {
    const { store } = open(1000);
    await time.pass(minute - 1_000);
    expect(store.purges).to.equal(0);
    await time.pass(minute + 2_000);
    expect(store.purges).to.equal(1);
  });
});
