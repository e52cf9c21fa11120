import { expect } from 'chai';
import type { RememberedKey, Undertaking } from '#application/ports/idempotency.ts';
import type { Instant } from '#domain/instant.ts';
import { newId } from '../machine.ts';
import { type Open, storeFor } from './harness.ts';
import { later, noon } from './samples.ts';

/** What `IdempotencyKeys` promises. */
export const describeIdempotencyKeys = (adapter: string, open: Open) =>
  describe(`${adapter}: idempotency keys`, () => {
    const store = storeFor(open);

    const aKey = (details: Partial<RememberedKey> = {}): RememberedKey => ({
      userId: newId(),
      key: 'k-1',
      role: 'customer',
      fingerprint: 'f-1',
      createdAt: noon,
      answer: '{"done":true}',
      undertaking: null,
      ...details,
    });

    const undertaking = (leaseUntil: Instant | null): Undertaking => ({
      process: 'payment',
      subject: newId(),
      leaseUntil,
      fence: 1,
    });

    const add = (...keys: readonly RememberedKey[]) =>
      store.unitOfWork.run(async ({ idempotencyKeys }) => {
        for (const key of keys) await idempotencyKeys.add(key);
      });

    const hold = ({ userId, key }: RememberedKey) =>
      store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.hold(userId, key));

    const forget = (createdBefore: Instant, limit: number) =>
      store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.forget(createdBefore, limit));

    const unsettled = (createdBefore: Instant, leaseBefore: Instant, limit = 100) =>
      store.unitOfWork.read(({ idempotencyKeys }) =>
        idempotencyKeys.unsettled(createdBefore, leaseBefore, limit),
      );

    it('are known as they were added, and by no other key or user', async () => {
      const plain = aKey({ key: 'ключ 🔑' });
      const begun = aKey({ answer: null, undertaking: undertaking(later(120)) });
      const settled = aKey({ undertaking: undertaking(null) });
      await add(plain, begun, settled);
      for (const key of [plain, begun, settled]) expect(await hold(key)).to.deep.equal(key);
      expect(await hold({ ...plain, key: 'k-2' })).to.equal(undefined);
      expect(await hold(aKey({ key: plain.key }))).to.equal(undefined);
    });

    it('can be replaced and removed by whoever holds them', async () => {
      const begun = aKey({ answer: null, undertaking: undertaking(later(1)) });
      const settled = { ...begun, answer: 'paid', undertaking: { ...undertaking(null), fence: 2 } };
      await add(begun);
      await store.unitOfWork.run(async ({ idempotencyKeys }) => {
        await idempotencyKeys.hold(begun.userId, begun.key);
        await idempotencyKeys.save(settled);
      });
      expect(await hold(begun)).to.deep.equal(settled);
      for (const _ of ['once', 'twice']) {
        await store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.remove(begun.userId, begun.key));
        expect(await hold(begun)).to.equal(undefined);
      }
    });

    it('can be removed and added anew in one unit of work', async () => {
      const [old, anew] = [aKey(), aKey({ answer: 'again', createdAt: later(1) })];
      await add(old);
      const replacing = { ...anew, userId: old.userId };
      await store.unitOfWork.run(async ({ idempotencyKeys }) => {
        await idempotencyKeys.remove(old.userId, old.key);
        await idempotencyKeys.add(replacing);
      });
      expect(await hold(old)).to.deep.equal(replacing);
    });

    it('are held by one at a time: twenty add one to a fence', async () => {
      const key = aKey({ answer: null, undertaking: { ...undertaking(later(1)), fence: 0 } });
      await add(key);
      const count = () =>
        store.unitOfWork.run(async ({ idempotencyKeys }) => {
          const held = await idempotencyKeys.hold(key.userId, key.key);
          if (!held?.undertaking) throw new Error('It was added before.');
          const fence = held.undertaking.fence + 1;
          await idempotencyKeys.save({ ...held, undertaking: { ...held.undertaking, fence } });
        });
      await Promise.all(Array.from({ length: 20 }, count));
      expect((await hold(key))?.undertaking?.fence).to.equal(20);
    });

    it('are forgotten when they were created before, or at, the instant, but never while unsettled', async () => {
      await forget(later(10 ** 9), 1000);
      const old = aKey({ createdAt: later(-1) });
      const same = aKey({ createdAt: noon, undertaking: undertaking(null) });
      const young = aKey({ createdAt: later(1) });
      const atWork = aKey({ createdAt: later(-1), answer: null, undertaking: undertaking(later(-1)) });
      await add(old, same, young, atWork);
      expect(await forget(noon, 100)).to.equal(2);
      expect(await hold(old)).to.equal(undefined);
      expect(await hold(same)).to.equal(undefined);
      expect(await hold(young)).to.deep.equal(young);
      expect(await hold(atWork)).to.deep.equal(atWork);
    });

    it('are forgotten up to a limit, which is how one sees that there are more', async () => {
      await forget(later(10 ** 9), 1000);
      await add(...Array.from({ length: 5 }, () => aKey()));
      const counts = [await forget(noon, 2), await forget(noon, 2), await forget(noon, 2)];
      expect(counts).to.deep.equal([2, 2, 1]);
    });

    it('are unsettled when both instants have passed, the longest idle first', async () => {
      const long = later(-100_000);
      const at = (createdAt: Instant, leaseUntil: Instant | null) =>
        aKey({ createdAt, answer: null, undertaking: undertaking(leaseUntil) });
      const third = at(long, later(-99_000));
      const first = at(long, later(-99_500));
      const second = at(later(-100_001), later(-99_400));
      const tooYoung = at(later(-99_999), later(-99_500));
      const stillLeased = at(long, later(-98_999));
      const settled = at(long, null);
      await add(third, first, second, tooYoung, stillLeased, settled, aKey({ createdAt: long }));
      expect(await unsettled(long, later(-99_000))).to.deep.equal([first, second, third]);
      expect(await unsettled(long, later(-99_000), 2)).to.deep.equal([first, second]);
      expect(await unsettled(long, later(-99_001))).to.deep.equal([first, second]);
    });
  });
