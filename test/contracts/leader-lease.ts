import { expect } from 'chai';
import type { Lease } from '#application/ports/leader-lease.ts';
import type { Instant } from '#domain/instant.ts';
import { type Open, refusalOf, storeFor } from './harness.ts';
import { later, noon } from './samples.ts';

const never = later(10 ** 9);

/** What `Duties` promises. */
export const describeDuties = (adapter: string, open: Open) =>
  describe(`${adapter}: a duty`, () => {
    const store = storeFor(open);
    let name = '';
    let count = 0;
    beforeEach(() => {
      count += 1;
      name = `duty ${count}`;
    });

    const take = (holder: string, until: Instant, now: Instant, farthest = never) =>
      store.unitOfWork.run(({ leases: duties }) =>
        duties.acquire({ name, holder, expiresAt: until }, now, farthest),
      );

    it('that nobody has is taken by whoever asks', async () => {
      expect(await take('Ada', later(100), noon)).to.equal(true);
    });

    it('is nobody else’s while its holder has it, whoever asks in vain, and however often', async () => {
      await take('Ada', later(100), noon);
      expect(await take('Bob', later(1_000), later(1))).to.equal(false);
      expect(await take('Eve', later(1_000), later(99))).to.equal(false);
      expect(await take('Bob', later(200), later(100))).to.equal(true);
    });

    it('is kept by its holder for as long as they say, however often they say it', async () => {
      await take('Ada', later(100), noon);
      expect(await take('Ada', later(150), later(50))).to.equal(true);
      expect(await take('Ada', later(300), later(149))).to.equal(true);
      expect(await take('Bob', later(1_000), later(299))).to.equal(false);
    });

    it('is kept by its holder, though late, as long as nobody else has taken it', async () => {
      await take('Ada', later(100), noon);
      expect(await take('Ada', later(300), later(200))).to.equal(true);
      expect(await take('Bob', later(300), later(201))).to.equal(false);
    });

    it('is taken over at the very moment it lapses, and then no longer the first one’s', async () => {
      await take('Ada', later(100), noon);
      expect(await take('Bob', later(200), later(100))).to.equal(true);
      expect(await take('Ada', later(300), later(101))).to.equal(false);
      expect(await take('Ada', later(300), later(200))).to.equal(true);
    });

    it('is given back by keeping it until a time that is over, and the next one has it at once', async () => {
      await take('Ada', later(100), noon);
      await take('Ada', later(10), later(10));
      expect(await take('Bob', later(200), later(10))).to.equal(true);
    });

    it('is nobody’s when it lasts longer than it can, for it was taken by a clock that has been put back', async () => {
      await take('Ada', later(5_000), later(4_900));
      expect(await take('Bob', later(100), noon, later(5_000))).to.equal(false);
      expect(await take('Bob', later(100), noon, later(4_999))).to.equal(true);
      expect(await take('Ada', later(200), later(50), later(4_999))).to.equal(false);
    });

    it('is one holder’s only, when twenty want it at once, free or lapsed', async () => {
      for (const now of [noon, later(100)]) {
        const holders = Array.from({ length: 20 }, (_, index) => `${now} ${index}`);
        const until = now === noon ? later(100) : later(200);
        const taken = await Promise.all(holders.map((holder) => take(holder, until, now)));
        expect(taken.filter(Boolean)).to.have.lengthOf(1);
      }
    });

    it('has nothing to do with another', async () => {
      const other: Lease = { name: `another than ${name}`, holder: 'Bob', expiresAt: later(100) };
      await take('Ada', later(100), noon);
      expect(await store.unitOfWork.run(({ leases: duties }) => duties.acquire(other, noon, never))).to.equal(
        true,
      );
      expect(await take('Bob', later(100), noon)).to.equal(false);
    });

    it('is not taken by a unit of work that is undone', async () => {
      await refusalOf(
        store.unitOfWork.run(async ({ leases: duties }) => {
          await duties.acquire({ name, holder: 'Ada', expiresAt: later(100) }, noon, never);
          throw new Error('It changed its mind.');
        }),
      );
      expect(await take('Bob', later(100), noon)).to.equal(true);
    });
  });
