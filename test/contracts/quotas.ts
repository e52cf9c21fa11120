import { expect } from 'chai';
import type { Store } from '#adapters/persistence/store.ts';
import type { QuotaStore } from '#adapters/support/quota-store.ts';
import { sleep } from '#adapters/support/time.ts';
import { newId } from '../support/machine.ts';
import { until } from '../support/until.ts';
import { atOnce, mocha, rejectionOf } from './harness.ts';

/** A store of one's own that several processes could share. */
export type OpenShared = () => Promise<
  Required<Pick<Store, 'now' | 'close'>> & { readonly quotas: Store['quotas'] }
>;

const limit = 10;
const long = { limit, windowMilliseconds: 60_000 };
const short = { limit, windowMilliseconds: 150 };

/** What `Quotas` promises. */
export const describeQuotas = (adapter: string, open: OpenShared, runner = mocha()) =>
  runner.describe(`${adapter}: quotas`, () => {
    const { it, before, after } = runner;
    let store: Awaited<ReturnType<OpenShared>>;
    let quotas: QuotaStore;
    let brief: QuotaStore;
    before(async () => {
      store = await open();
      if (store.quotas === undefined) throw new Error('This store is one that can be shared.');
      quotas = store.quotas(long);
      brief = store.quotas(short);
    });
    after(() => store.close());

    const lease = async (of: QuotaStore, key: string, count: number) => {
      const [state] = await of.lease([{ key, count }]);
      return state ?? expect.fail('Every key is answered for.');
    };

    it('are leased up to the limit, and no further', async () => {
      const key = newId();
      expect(await lease(quotas, key, 4)).to.include({ key, granted: 4, unleased: 6 });
      expect(await lease(quotas, key, 4)).to.include({ granted: 4, unleased: 2 });
      expect(await lease(quotas, key, 4)).to.include({ granted: 2, unleased: 0 });
      expect(await lease(quotas, key, 4)).to.include({ granted: 0, unleased: 0 });
      expect(await lease(quotas, newId(), 1_000)).to.include({ granted: limit, unleased: 0 });
    });

    it('are leased up to a limit that was raised', async () => {
      const key = newId();
      const { resetAt } = await lease(quotas, key, limit);
      const raised = store.quotas?.({ ...long, limit: 15 }) ?? expect.fail();
      expect(await lease(raised, key, 9)).to.include({ granted: 5, unleased: 0, resetAt });
      expect(await lease(quotas, key, 1)).to.include({ granted: 0, unleased: 0 });
      await raised.returnBlocks([{ key, count: 3, resetAt }]);
      expect(await raised.read([key])).to.deep.equal([{ key, resetAt, unleased: 3 }]);
    });

    it('are not leased beyond a limit that was lowered', async () => {
      const key = newId();
      const { resetAt } = await lease(quotas, key, 8);
      const lowered = store.quotas?.({ ...long, limit: 5 }) ?? expect.fail();
      expect(await lease(lowered, key, 1)).to.include({ granted: 0, unleased: 0, resetAt });
      await quotas.returnBlocks([{ key, count: 4, resetAt }]);
      expect(await lease(lowered, key, 3)).to.include({ granted: 1, unleased: 0 });
    });

    it('have the state of a key when 0 is leased', async () => {
      const key = newId();
      await lease(quotas, key, 3);
      expect(await lease(quotas, key, 0)).to.include({ granted: 0, unleased: 7 });
    });

    it('can be read without a change', async () => {
      const [key, unknown] = [newId(), newId()];
      const { resetAt } = await lease(quotas, key, 3);
      expect(await quotas.read([unknown, key])).to.deep.equal([{ key, resetAt, unleased: 7 }]);
      expect(await quotas.read([])).to.deep.equal([]);
      expect(await lease(quotas, key, 0)).to.include({ resetAt, unleased: 7 });
    });

    it('have a window that begins with the first lease, and ends at the same time for all processes', async () => {
      const key = newId();
      const before = await store.now();
      const { resetAt } = await lease(quotas, key, 1);
      expect(resetAt).to.be.within(before + 60_000 - 1, (await store.now()) + 60_000 + 1);
      const others = await Promise.all(atOnce(5, () => lease(quotas, key, 1)));
      expect(new Set(others.map((state) => state.resetAt))).to.deep.equal(new Set([resetAt]));
    });

    it('drop a window whose end is implausible after the clock was set back (clock skew)', async () => {
      const key = newId();
      const now = await store.now();
      await quotas.returnBlocks([{ key, count: 0, resetAt: now + 3_600_000 }]);
      expect(await quotas.read([key])).to.deep.equal([{ key, resetAt: now + 3_600_000, unleased: limit }]);
      const { resetAt } = await lease(quotas, key, 1);
      expect(resetAt).to.be.within(now + 60_000 - 1, (await store.now()) + 60_000 + 1);
    });

    it('are complete again after the window has ended', async () => {
      const key = newId();
      const first = await lease(brief, key, limit);
      const next = await until(
        () => lease(brief, key, 1),
        ({ granted }) => granted > 0,
      );
      expect(next).to.include({ granted: 1, unleased: limit - 1 });
      expect(next.resetAt).to.be.least(first.resetAt + short.windowMilliseconds);
    });

    it('can be returned, and leased to another process', async () => {
      const key = newId();
      const { resetAt } = await lease(quotas, key, limit);
      expect(await quotas.returnBlocks([{ key, count: 4, resetAt }])).to.deep.equal([
        { key, resetAt, unleased: 4 },
      ]);
      expect(await lease(quotas, key, limit)).to.include({ granted: 4, unleased: 0 });
    });

    it('are returned to their own window only', async () => {
      const key = newId();
      const { resetAt } = await lease(brief, key, limit);
      const next = await until(
        () => lease(brief, key, limit),
        ({ granted }) => granted === limit,
      );
      expect(await brief.returnBlocks([{ key, count: 5, resetAt }])).to.deep.equal([]);
      expect(await brief.read([key])).to.deep.equal([{ key, resetAt: next.resetAt, unleased: 0 }]);
    });

    it('open no window when quota of an unknown key is returned', async () => {
      const key = newId();
      await quotas.returnBlocks([{ key, count: 3, resetAt: (await store.now()) - 1 }]);
      expect(await lease(quotas, key, limit)).to.include({ granted: limit });
    });

    it('are leased for many keys at once', async () => {
      const keys = Array.from({ length: 500 }, () => newId());
      await lease(quotas, keys[0] ?? '', 8);
      const states = await quotas.lease(keys.map((key) => ({ key, count: 5 })));
      const granted = new Map(states.map((state) => [state.key, state.granted]));
      expect(keys.map((key) => granted.get(key as string))).to.deep.equal([
        2,
        ...Array.from({ length: 499 }, () => 5),
      ]);
      const blocks = states.map(({ key, resetAt }) => ({ key, count: 1, resetAt }));
      const after = await quotas.returnBlocks(blocks);
      expect(after.map(({ unleased }) => unleased).toSorted((one, other) => one - other)).to.deep.equal([
        1,
        ...Array.from({ length: 499 }, () => 6),
      ]);
    });

    it('never exceed the limit while twenty processes lease and return several keys concurrently', async () => {
      const keys = [newId(), newId(), newId()] as const;
      const held = new Map<string, number>(keys.map((key) => [key, 0]));
      const add = (key: string, count: number): void => {
        held.set(key, (held.get(key) ?? 0) + count);
        expect(held.get(key)).to.be.within(0, limit);
      };
      await Promise.all(
        atOnce(20, async (index) => {
          for (let round = 0; round < 5; round += 1) {
            const requested = keys.map((key) => ({ key, count: 1 + ((index + round) % 3) }));
            const got = await quotas.lease(index % 2 === 0 ? requested : requested.toReversed());
            for (const { key, granted } of got) add(key, granted);
            // Others lease while these are held.
            await sleep(1);
            const back = got.filter(({ granted }) => granted > 0);
            for (const { key, granted } of back) add(key, -granted);
            if (back.length > 0)
              await quotas.returnBlocks(back.map((each) => ({ ...each, count: each.granted })));
          }
        }),
      );
      for (const key of keys) expect(await lease(quotas, key, 0)).to.include({ unleased: limit });
    });

    it('are unavailable when the store is closed', async () => {
      const other = await open();
      const closed = other.quotas?.(long);
      await other.close();
      expect(await rejectionOf(closed?.lease([{ key: newId(), count: 1 }]) ?? Promise.resolve())).to.include({
        kind: 'unavailable',
      });
    });
  });
