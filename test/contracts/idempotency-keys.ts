import { expect } from 'chai';
import type { IdempotencyRecord, ProcessLease } from '#application/ports/idempotency.ts';
import type { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import { newId } from '../support/machine.ts';
import { existing, mocha, type Suite, storeFor } from './harness.ts';
import { aKeyResource, aRecord, later, noon } from './samples.ts';

/** The contract of `IdempotencyStore`. */
export const describeIdempotencyKeys: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: idempotency keys`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const aKey = (details: Partial<IdempotencyRecord> = {}): IdempotencyRecord =>
      aRecord({ response: '{"done":true}', ...details });

    const leased = (leaseUntil: Instant | null): ProcessLease => ({
      process: 'payment',
      subject: newId(),
      leaseUntil,
      fencingToken: 1,
    });

    const add = (...keys: readonly IdempotencyRecord[]) =>
      store.unitOfWork.run(async ({ idempotencyKeys }) => {
        for (const key of keys) await idempotencyKeys.add(key);
      });

    const find = ({ userId, key }: IdempotencyRecord) =>
      store.unitOfWork.read(({ idempotencyKeys }) => idempotencyKeys.find(userId, key));

    const hold = ({ userId, key }: IdempotencyRecord) =>
      store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.lock(userId, key));

    const forget = async (createdBefore: Instant): Promise<void> => {
      for (let calls = 1; ; calls += 1) {
        const isMore = await store.unitOfWork.run(({ idempotencyKeys }) =>
          idempotencyKeys.deleteExpired(createdBefore),
        );
        if (!isMore) return;
        expect(calls).to.be.lessThan(100);
      }
    };

    const unsettled = (createdBefore: Instant, now: Instant, limit = 100, leaseMs = 10 ** 9) =>
      store.unitOfWork.read(({ idempotencyKeys }) =>
        idempotencyKeys.findStale({ createdBefore, now, leaseMs, limit }),
      );

    it('are found by the id of their user and by an id in their response, unless unsettled', async () => {
      const userId = newId<UserId>();
      const own = ['k-1', 'k-2'].map((key) => aKey({ userId, key }));
      const empty = aKey({ userId, key: 'k-3', response: null, lease: leased(null) });
      const other = aKey({ response: `{"body":"{\\"user_id\\":\\"${userId}\\"}"}` });
      const settled = aKey({ response: `[${userId}]`, lease: leased(null) });
      const path = `/v1/users/${userId}`;
      const pathOnly = aKey({ resource: { ...aKeyResource(noon), path } });
      const erasedPath = aKey({ resource: { ...aKeyResource(noon), path, requestId: null } });
      const unsettledKeys = [aKey({ userId, key: 'k-4', response: null, lease: leased(noon) })];
      await add(
        ...own,
        empty,
        other,
        settled,
        pathOnly,
        erasedPath,
        ...unsettledKeys,
        aKey(),
        aKey({ response: null, lease: leased(null) }),
      );
      const mentioning = (limit: number) =>
        store.unitOfWork.read(({ idempotencyKeys }) => idempotencyKeys.findMentioning([userId], limit));
      expect(await mentioning(100)).to.have.deep.members([...own, empty, other, settled, pathOnly]);
      expect(await mentioning(2)).to.have.lengthOf(2);
      // Twenty that occur nowhere, and this one among them wherever it stands.
      const nowhere = Array.from({ length: 20 }, () => newId());
      for (const place of [0, 7, 8, 20]) {
        const ids = nowhere.toSpliced(place, 0, userId);
        const found = await store.unitOfWork.read(({ idempotencyKeys }) =>
          idempotencyKeys.findMentioning(ids, 100),
        );
        expect(new Set(found.map((record) => `${record.userId} ${record.key}`)).size).to.equal(6);
        expect(found).to.deep.include.members([...own, empty, other, settled, pathOnly]);
      }
      const erased = { ...other, response: null };
      await store.unitOfWork.run(async ({ idempotencyKeys }) => {
        await idempotencyKeys.lock(other.userId, other.key);
        await idempotencyKeys.save(erased);
        await idempotencyKeys.remove(userId, 'k-1');
      });
      expect(await mentioning(100)).to.have.deep.members([own[1], empty, settled, pathOnly]);
      expect(await find(other)).to.deep.equal(erased);
    });

    it('are found as they were added, and by no other key or user', async () => {
      const plain = aKey({ key: 'ключ 🔑' });
      const begun = aKey({ response: null, lease: leased(later(120)) });
      const settled = aKey({ lease: leased(null) });
      await add(plain, begun, settled);
      for (const look of [find, hold]) {
        expect(await Promise.all([plain, begun, settled].map(look))).to.deep.equal([plain, begun, settled]);
        expect(await look({ ...plain, key: 'k-2' })).to.equal(undefined);
        expect(await look(aKey({ key: plain.key }))).to.equal(undefined);
      }
    });

    it('can be replaced and removed by the unit of work that locks them', async () => {
      const begun = aKey({ response: null, lease: leased(later(1)) });
      const settled = { ...begun, response: 'paid', lease: { ...leased(null), fencingToken: 2 } };
      await add(begun);
      await store.unitOfWork.run(async ({ idempotencyKeys }) => {
        await idempotencyKeys.lock(begun.userId, begun.key);
        await idempotencyKeys.save(settled);
      });
      expect(await hold(begun)).to.deep.equal(settled);
      for (const _ of ['once', 'twice']) {
        await store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.remove(begun.userId, begun.key));
        expect(await hold(begun)).to.equal(undefined);
      }
    });

    it('can be removed and added anew in one unit of work', async () => {
      const [old, anew] = [aKey(), aKey({ response: 'again', createdAt: later(1) })];
      await add(old);
      const replacing = { ...anew, userId: old.userId };
      await store.unitOfWork.run(async ({ idempotencyKeys }) => {
        await idempotencyKeys.remove(old.userId, old.key);
        await idempotencyKeys.add(replacing);
      });
      expect(await hold(old)).to.deep.equal(replacing);
    });

    it('are locked by one unit of work at a time: twenty increment a fencing token', async () => {
      const key = aKey({ response: null, lease: { ...leased(later(1)), fencingToken: 0 } });
      await add(key);
      const count = () =>
        store.unitOfWork.run(async ({ idempotencyKeys }) => {
          const held = await idempotencyKeys.lock(key.userId, key.key);
          if (!held?.lease) throw new Error('It was added before.');
          const fence = held.lease.fencingToken + 1;
          await idempotencyKeys.save({ ...held, lease: { ...held.lease, fencingToken: fence } });
        });
      await Promise.all(Array.from({ length: 20 }, count));
      expect((await hold(key))?.lease?.fencingToken).to.equal(20);
    });

    it('are deleted when they were created at the instant or before, but never while a process is under way', async () => {
      await forget(later(10 ** 9));
      const old = aKey({ createdAt: later(-1) });
      const same = aKey({ createdAt: noon, lease: leased(null) });
      const atWork = aKey({ createdAt: later(-1), response: null, lease: leased(later(-1)) });
      await add(old, same, atWork);
      await forget(noon);
      expect(await find(old)).to.equal(undefined);
      expect(await find(same)).to.equal(undefined);
      expect(await find(atWork)).to.deep.equal(atWork);
    });

    it('are deleted in batches, however many they are, and none created later is', async () => {
      const old = Array.from({ length: 450 }, (_, number) => aKey({ key: `k-${number}` }));
      const young = aKey({ createdAt: later(2) });
      await add(...old);
      await forget(later(-1));
      await add(young);
      await forget(noon);
      await add(aKey({ createdAt: later(3) }));
      expect(await find(young)).to.deep.equal(young);
      await forget(later(1));
      expect(await find(young)).to.deep.equal(young);
      await forget(later(3));
      for (const key of [...old.slice(0, 3), ...old.slice(-3), young]) {
        expect(await find(key)).to.equal(undefined);
      }
    });

    it('stay unique during a purge: of twenty concurrent inserts one succeeds', async () => {
      for (const round of [1, 2, 3]) {
        const key = aKey({ createdAt: later(round) });
        const before = aKey({ createdAt: noon });
        await add(before);
        let added = 0;
        const tryToAdd = () =>
          store.unitOfWork.run(async ({ idempotencyKeys }) => {
            if (await idempotencyKeys.lock(key.userId, key.key)) return false;
            await idempotencyKeys.add(key);
            return true;
          });
        const adding = Array.from({ length: 20 }, async () => {
          if (await tryToAdd()) added += 1;
        });
        await Promise.all([...adding.slice(0, 10), forget(noon), ...adding.slice(10)]);
        expect(added).to.equal(1);
        expect(await find(key)).to.deep.equal(key);
      }
    });

    it('are stale when both instants have passed, the longest idle first', async () => {
      const long = later(-100_000);
      const at = (createdAt: Instant, leaseUntil: Instant | null) =>
        aKey({ createdAt, response: null, lease: leased(leaseUntil) });
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

    it('are stale, too, when their times are implausibly late', async () => {
      const at = (createdAt: Instant, leaseUntil: Instant) =>
        aKey({ createdAt, response: null, lease: leased(leaseUntil) });
      const old = at(later(-200_000), later(-199_000));
      const both = at(later(600_001), later(600_002));
      const takenUpSince = at(later(600_001), later(-200_000));
      const justNow = at(later(-200_000), later(600_000));
      await add(old, both, takenUpSince, justNow);
      // The latest plausible expiry is a minute after a new lease's: later(600_000).
      const found = await unsettled(later(-200_000), later(-150_000), 100, 690_000);
      expect(found.filter(({ createdAt }) => createdAt <= later(-200_000) || createdAt > noon)).to.deep.equal(
        [takenUpSince, old, both],
      );
      expect(await unsettled(later(-200_000), later(-150_000))).to.deep.equal([old]);
    });

    it('are found as many as were asked for, by an id and when they are stale', async () => {
      const userId = newId<UserId>();
      const long = later(-300_000);
      const open = { response: null, createdAt: long };
      await add(
        ...Array.from({ length: 130 }, (_, place) => aKey({ userId, key: `k-${place}` })),
        ...Array.from({ length: 130 }, (_, place) =>
          aKey({ ...open, lease: leased(later(place - 299_999)) }),
        ),
      );
      for (const limit of [120, 130, 200]) {
        const expected = Math.min(limit, 130);
        const found = await store.unitOfWork.read(({ idempotencyKeys }) =>
          idempotencyKeys.findMentioning([userId], limit),
        );
        expect(found, `${limit} that mention it`).to.have.lengthOf(expected);
        expect(await unsettled(long, later(-299_000), limit), `${limit} stale ones`).to.have.lengthOf(
          expected,
        );
      }
    });

    it('are found as a unit of work has left them, together with what was committed', async () => {
      const userId = newId<UserId>();
      const createdAt = later(-400_000);
      const open = (key: string) =>
        aKey({ userId, key, createdAt, response: null, lease: leased(later(-399_999)) });
      const settled = (key: string) => aKey({ userId, key, createdAt });
      const committed = [open('open'), open('settles'), settled('settled'), settled('removed')];
      const [, settles] = committed;
      if (settles === undefined) throw new Error('It is the second.');
      await add(...committed);
      await store.unitOfWork.run(async ({ idempotencyKeys }) => {
        const added = [open('own-open'), settled('own-settled')];
        for (const record of added) await idempotencyKeys.add(record);
        const locked = await idempotencyKeys.lock(userId, settles.key);
        await idempotencyKeys.save({ ...existing(locked), response: '{}', lease: leased(null) });
        await idempotencyKeys.remove(userId, 'removed');
        const keysOf = (records: readonly Pick<IdempotencyRecord, 'key'>[]) => records.map(({ key }) => key);
        const stale = { createdBefore: createdAt, now: later(-399_000), leaseMs: 10 ** 9, limit: 100 };
        const all = ['open', 'settles', 'settled', 'own-open', 'own-settled'];
        expect(keysOf(await idempotencyKeys.findStale(stale))).to.have.members(['open', 'own-open']);
        expect([...new Set(keysOf(await idempotencyKeys.findMentioning([userId], 100)))]).to.have.members(
          all.filter((key) => !key.endsWith('open')),
        );
        const filter = {
          ...{ userId, expiredBefore: later(-500_000) },
          ...{ now: later(-399_000), latestExpiry: later(500) },
        };
        expect(keysOf((await idempotencyKeys.page(filter, { limit: 100 })).rows)).to.have.members(all);
        for (const { resource, key } of added)
          expect(await idempotencyKeys.findById(existing(resource ?? undefined).id)).to.include({ key });
      });
    });
  });
