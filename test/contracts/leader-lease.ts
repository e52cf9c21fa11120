import { expect } from 'chai';
import type { Lease } from '#application/ports/repositories.ts';
import type { Instant } from '#domain/instant.ts';
import { mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { later, noon } from './samples.ts';

/** The contract of `Leases`. */
export const describeLeases: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: a leader lease`, () => {
    const { it, beforeEach } = runner;
    const store = storeFor(open, runner);
    let name = '';
    let count = 0;
    beforeEach(() => {
      count += 1;
      name = `lease ${count}`;
    });

    const take = (holder: string, until: Instant, now: Instant) =>
      store.unitOfWork.run(({ leases }) => leases.acquire({ name, holder, expiresAt: until }, now));

    it('that is free is acquired by the first process that asks', async () => {
      expect(await take('Ada', later(100), noon)).to.equal(true);
    });

    it('is denied to other processes until it expires, however often they ask', async () => {
      await take('Ada', later(100), noon);
      expect(await take('Bob', later(1_000), later(1))).to.equal(false);
      expect(await take('Eve', later(1_000), later(99))).to.equal(false);
      expect(await take('Bob', later(200), later(100))).to.equal(true);
    });

    it('is renewed by its holder any number of times', async () => {
      await take('Ada', later(100), noon);
      expect(await take('Ada', later(150), later(50))).to.equal(true);
      // Until the same time, which changes nothing.
      expect(await take('Ada', later(150), later(60))).to.equal(true);
      expect(await take('Ada', later(300), later(149))).to.equal(true);
      expect(await take('Bob', later(1_000), later(299))).to.equal(false);
    });

    it('is renewed by its holder after it has expired, unless another process has acquired it', async () => {
      await take('Ada', later(100), noon);
      expect(await take('Ada', later(300), later(200))).to.equal(true);
      expect(await take('Bob', later(300), later(201))).to.equal(false);
    });

    it('is acquired by another process the moment it expires, and then denied to the first', async () => {
      await take('Ada', later(100), noon);
      expect(await take('Bob', later(200), later(100))).to.equal(true);
      expect(await take('Ada', later(300), later(101))).to.equal(false);
      expect(await take('Ada', later(300), later(200))).to.equal(true);
    });

    it('is released by renewing it until a past time, and then acquired at once', async () => {
      await take('Ada', later(100), noon);
      await take('Ada', later(10), later(10));
      expect(await take('Bob', later(200), later(10))).to.equal(true);
    });

    it('is free when it expires implausibly late, because it was written before the clock was set back', async () => {
      await take('Ada', later(60_101), later(60_001));
      expect(await take('Bob', later(101), later(1))).to.equal(false);
      expect(await take('Bob', later(100), noon)).to.equal(true);
      expect(await take('Ada', later(150), later(50))).to.equal(false);
    });

    it('is acquired by one of twenty processes that ask at once, free or expired', async () => {
      for (const now of [noon, later(100)]) {
        const holders = Array.from({ length: 20 }, (_, index) => `${now} ${index}`);
        const until = now === noon ? later(100) : later(200);
        const taken = await Promise.all(holders.map((holder) => take(holder, until, now)));
        expect(taken.filter(Boolean)).to.have.lengthOf(1);
      }
    });

    it('is independent of other leases', async () => {
      const other: Lease = { name: `another than ${name}`, holder: 'Bob', expiresAt: later(100) };
      await take('Ada', later(100), noon);
      expect(await store.unitOfWork.run(({ leases: duties }) => duties.acquire(other, noon))).to.equal(true);
      expect(await take('Bob', later(100), noon)).to.equal(false);
    });

    it('is not acquired by a unit of work that rolls back', async () => {
      await rejectionOf(
        store.unitOfWork.run(async ({ leases: duties }) => {
          await duties.acquire({ name, holder: 'Ada', expiresAt: later(100) }, noon);
          throw new Error('It changed its mind.');
        }),
      );
      expect(await take('Bob', later(100), noon)).to.equal(true);
    });
  });
