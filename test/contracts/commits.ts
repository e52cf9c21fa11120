import { expect } from 'chai';
import { collectionNames, type ReadRepositories } from '#application/ports/repositories.ts';
import type { UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import type { Resource } from '#domain/resource.ts';
import { newId } from '../support/machine.ts';
import {
  addPurchase,
  findPurchase,
  findRawPurchase,
  nothingOf,
  ofEveryCollection,
  partOf,
  partsOf,
  readerOf,
  repositoryOf,
} from './every-collection.ts';
import { anotherFor, mocha, type Suite, storeFor } from './harness.ts';
import { aFullPurchase, aRecord, later, noon } from './samples.ts';

const next = (resource: Resource) => ({
  ...{ ...resource, version: resource.version + 1, updatedAt: later(1) },
});

/** Where the changes of a unit of work are once it has committed: in the database, and in what other processes read. */
export const describeCommits: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: commits`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);
    const another = anotherFor(store, runner);

    /** A purchase with a record, and the work that adds, changes and removes each of its parts. */
    const aStory = () => {
      const [purchase, record] = [aFullPurchase(), aRecord()];
      const changed = { ...record, response: 'done' };
      const add: Work<void> = async (all) => {
        await addPurchase(all, purchase);
        await all.idempotencyKeys.add(record);
      };
      const change: Work<void> = async (all) => {
        for (const name of collectionNames) await repositoryOf(all, name).save(next(partOf(purchase, name)));
        await all.idempotencyKeys.save(changed);
      };
      const remove: Work<void> = async (all) => {
        for (const name of collectionNames.toReversed())
          await repositoryOf(all, name).remove(partOf(purchase, name).id);
        await all.idempotencyKeys.remove(record.userId, record.key);
      };
      const changes = ofEveryCollection((name) => next(partOf(purchase, name)));
      const steps = [
        { work: add, left: { ...partsOf(purchase), record } },
        { work: change, left: { ...changes, record: changed } },
        { work: remove, left: { ...nothingOf, record: undefined } },
      ];
      const find = async (all: ReadRepositories) => ({
        ...(await findPurchase(all, purchase)),
        record: await all.idempotencyKeys.find(record.userId, record.key),
      });
      return { purchase, record, steps, find };
    };

    it('reach the database with each collection and key, but not before the unit of work ends', async () => {
      const { raw } = store;
      const { purchase, record, steps, find } = aStory();
      const findRaw = async () =>
        raw && {
          ...(await findRawPurchase(raw, purchase)),
          record: await raw.findRecord(record.userId, record.key),
        };
      for (const { work, left } of steps) {
        const earlier = await findRaw();
        await store.unitOfWork.run(async (all) => {
          await work(all);
          // Whatever was changed has reached the transaction by now.
          await find(all);
          expect(await findRaw()).to.deep.equal(earlier);
        });
        expect(await findRaw()).to.deep.equal(raw && left);
        expect(await store.unitOfWork.read(find)).to.deep.equal(left);
      }
    });

    it('are seen by another process at once, although it has read what was there before', async () => {
      const { purchase, steps, find } = aStory();
      const { id: userId } = purchase.user;
      const lists = async (all: ReadRepositories) => [
        await readerOf(all, 'users').page({ email: purchase.user.email }, { limit: 5 }),
        await readerOf(all, 'orders').findBy('userId', [userId]),
        await readerOf(all, 'apiKeys').page({ userId }, { limit: 5 }),
      ];
      const other = another().unitOfWork;
      const look = async (unitOfWork: UnitOfWork) => [
        await unitOfWork.read(find),
        await unitOfWork.run(find),
        await unitOfWork.read(lists),
      ];
      for (const { work, left } of steps) {
        await look(other);
        await store.unitOfWork.run(work);
        const [found, inWork, listed] = await look(other);
        expect([found, inWork]).to.deep.equal([left, left]);
        expect(listed).to.deep.equal(await store.unitOfWork.read(lists));
      }
    });

    it('of leases bind another process', async () => {
      const lease = { name: newId(), holder: 'Ada', expiresAt: later(100) };
      const other = another().unitOfWork;
      const take = (unitOfWork: UnitOfWork, holder: string) =>
        unitOfWork.run(({ leases }) => leases.acquire({ ...lease, holder }, noon));
      expect(await take(store.unitOfWork, 'Ada')).to.equal(true);
      expect(await take(other, 'Bob')).to.equal(false);
      expect(await take(other, 'Ada')).to.equal(true);
    });
  });
