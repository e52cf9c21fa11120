import { expect } from 'chai';
import type {
  IdempotencyEntry,
  IdempotencyFilter,
  IdempotencyKeyId,
  IdempotencyRecord,
  ProcessLease,
} from '#application/ports/idempotency.ts';
import type { PageOrder } from '#application/ports/page.ts';
import type { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import { newId } from '../support/machine.ts';
import { mocha, type Suite, storeFor } from './harness.ts';
import { aKeyResource, aRecord, later, noon } from './samples.ts';

/** What `IdempotencyReader` promises those who look keys up. */
export const describeIdempotencyLists: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: looking idempotency keys up`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const leased = (leaseUntil: Instant | null): ProcessLease => ({
      ...{ process: 'payment', subject: newId(), leaseUntil, fencingToken: 3 },
    });

    const add = async <R extends IdempotencyRecord>(...records: readonly R[]): Promise<readonly R[]> => {
      await store.unitOfWork.run(async ({ idempotencyKeys }) => {
        for (const record of records) await idempotencyKeys.add(record);
      });
      return records;
    };

    const findById = (id: IdempotencyKeyId) =>
      store.unitOfWork.read(({ idempotencyKeys }) => idempotencyKeys.findById(id));

    /** All that match, read in pages. */
    const list = async (filter: IdempotencyFilter, order: PageOrder = 'ascending', limit = 2) => {
      const found: IdempotencyEntry[] = [];
      for (let after: IdempotencyKeyId | undefined, hasMore = true; hasMore; ) {
        const request = { after, limit, order };
        const page = await store.unitOfWork.read(({ idempotencyKeys }) =>
          idempotencyKeys.page(filter, request),
        );
        if (page.hasMore) expect(page.rows).to.have.lengthOf(limit);
        found.push(...page.rows);
        expect(found.length).to.be.lessThan(100);
        after = page.rows.at(-1)?.resource.id;
        ({ hasMore } = page);
      }
      return found;
    };

    const filterOf = (userId: UserId, more: Partial<IdempotencyFilter> = {}): IdempotencyFilter => ({
      ...{ userId, expiredBefore: later(-1_000), now: noon, latestExpiry: later(500) },
      ...more,
    });

    const keysOf = (entries: readonly IdempotencyEntry[]) => entries.map(({ key }) => key);

    const entryOf = ({ response, ...record }: IdempotencyRecord) => ({ ...record, responseStart: response });

    /** A key of the user for each of these, in the order of their ids. */
    const everyKind = (userId: UserId) => {
      const key = (name: string, at: number, lease: ProcessLease | null) =>
        aRecord({
          userId,
          key: name,
          createdAt: later(at),
          lease,
          response: lease?.leaseUntil ? null : '{}',
        });
      return add(
        key('old-open', -2_000, leased(later(-1))),
        key('expired', -1_000, null),
        key('plain', -999, null),
        key('held', -500, leased(later(500))),
        key('settled', -400, leased(null)),
        key('open', -300, leased(noon)),
        key('implausible', -200, leased(later(501))),
        key('last', 0, null),
      );
    };

    it('finds one by the id of its resource, settled or not, and none by another id', async () => {
      const records = await add(
        aRecord({ response: 'done' }),
        aRecord({ lease: leased(noon), createdAt: later(-1) }),
        aRecord({ lease: leased(null), response: 'paid' }),
      );
      for (const record of records) {
        const id = record.resource?.id ?? expect.fail('It has none.');
        expect(await findById(id)).to.deep.equal(entryOf(record));
      }
      const unused = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
      for (const id of [aKeyResource(noon).id, ...unused])
        expect(await findById(id as IdempotencyKeyId)).to.equal(undefined);
    });

    it('has at least the first 1,000 characters of a response, and not a long one as a whole', async () => {
      const response = 'é🔑'.repeat(1_000);
      const [record] = await add(aRecord({ response }));
      const found = await findById(record?.resource?.id ?? expect.fail('It has none.'));
      const userId = record?.userId ?? expect.fail('It was added.');
      for (const each of [found, ...(await list(filterOf(userId)))]) {
        const start = each?.responseStart ?? '';
        expect(response.startsWith(start)).to.equal(true);
        expect(start.length).to.be.within(1_000, 2_000);
      }
    });

    it('lists as many as were asked for', async () => {
      const userId = newId<UserId>();
      const records = Array.from({ length: 600 }, (_, index) =>
        aRecord({ userId, key: `k-${index}`, createdAt: later(-1 - index) }),
      );
      await add(...records);
      const ids = records.map(({ resource }) => resource?.id).sort();
      for (const limit of [550, 600, 5_000]) {
        const { rows, hasMore } = await store.unitOfWork.read(({ idempotencyKeys }) =>
          idempotencyKeys.page(filterOf(userId), { limit }),
        );
        expect(rows.map(({ resource }) => resource.id)).to.deep.equal(ids.slice(0, limit));
        expect(hasMore, `more than ${limit}`).to.equal(limit < ids.length);
      }
    });

    it('lists the records of one user in the order of their ids, in pages of any length', async () => {
      const userId = newId<UserId>();
      const records = await everyKind(userId);
      await everyKind(newId());
      const listed = records.filter(({ key }) => key !== 'expired').map(entryOf);
      for (const limit of [1, 2, 3, 7, 50]) {
        expect(await list(filterOf(userId), 'ascending', limit)).to.deep.equal(listed);
        expect(await list(filterOf(userId), 'descending', limit)).to.deep.equal(listed.toReversed());
      }
    });

    it('lists by status, which a lease has by the time that it ends', async () => {
      const userId = newId<UserId>();
      await everyKind(userId);
      const expected = {
        in_progress: ['held'],
        open: ['old-open', 'open', 'implausible'],
        completed: ['plain', 'settled', 'last'],
      } as const;
      for (const status of ['in_progress', 'open', 'completed'] as const) {
        const filter = filterOf(userId, { status });
        expect(keysOf(await list(filter))).to.deep.equal(expected[status]);
        expect(keysOf(await list(filter, 'descending', 1))).to.deep.equal(expected[status].toReversed());
      }
    });

    it('leaves out records of an earlier release, which have no resource', async () => {
      const userId = newId<UserId>();
      await add(
        aRecord({ userId, resource: null }),
        aRecord({ userId, key: 'k-2', resource: null, lease: leased(noon) }),
      );
      expect(await list(filterOf(userId))).to.deep.equal([]);
    });

    it('shows what a save has changed, and nothing of what was removed', async () => {
      const userId = newId<UserId>();
      const [record, removed] = await add(
        aRecord({ userId, lease: leased(noon) }),
        aRecord({ userId, key: 'k-2', response: 'done' }),
      );
      if (record?.resource == null || removed === undefined) throw new TypeError('Both were added.');
      const resource = {
        ...record.resource,
        version: 7,
        updatedAt: later(9),
        requestId: null,
        fieldHashes: null,
      };
      const saved = { ...record, response: 'paid', lease: leased(null), resource };
      await store.unitOfWork.run(async ({ idempotencyKeys }) => {
        await idempotencyKeys.lock(userId, record.key);
        await idempotencyKeys.save(saved);
        await idempotencyKeys.remove(userId, removed.key);
        expect(keysOf((await idempotencyKeys.page(filterOf(userId), { limit: 10 })).rows)).to.deep.equal([
          'k-1',
        ]);
      });
      expect(await list(filterOf(userId))).to.deep.equal([entryOf(saved)]);
      expect(await findById(removed.resource?.id ?? expect.fail('It has none.'))).to.equal(undefined);
    });
  });
