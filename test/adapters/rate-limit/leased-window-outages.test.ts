import { expect } from 'chai';
import { atOnce, rejectionOf } from '../../contracts/harness.ts';

import { alone, isPending, key, limitersOfEachTest, unavailable } from './leased-limiters.ts';

describe('A limiter that leases its quota, whose store is unavailable or slow,', () => {
  const { time, open } = limitersOfEachTest();

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
    // A sweep each 50 ms notices that the store has not responded for 50 ms.
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

  it('consumes its leases while the store is unavailable, then rejects, and recovers by itself', async () => {
    const { limiter, store } = open(1000);
    const caller = key();
    await limiter.consume(caller);
    store.obstacle = unavailable;
    let allowed = 0;
    let rejection: unknown;
    while (!(rejection instanceof Error)) {
      rejection = await limiter.consume(caller).catch((error: unknown) => error);
      if (!(rejection instanceof Error)) allowed += 1;
      await time.pass(10);
    }
    expect(rejection).to.include({ kind: 'unavailable' });
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
    const rejections = await time.settle(
      Promise.all(atOnce(5, () => rejectionOf(limiter.consume(caller)))),
      10_000,
    );
    expect(time.now - begun).to.be.within(2_000, 2_100);
    for (const rejection of rejections) expect(rejection).to.include({ kind: 'unavailable' });
    expect(await rejectionOf(limiter.consume(key()))).to.include({ kind: 'unavailable' });
    silence.resolve();
    await time.passUntil(() => store.used.get(caller) === 0, 10_000);
    expect(await limiter.consume(caller)).to.include({ allowed: true, remaining: 999 });
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
});
