import { expect } from 'chai';
import type { Work } from '#application/ports/unit-of-work.ts';
import { Search } from '#domain/search.ts';
import { newId } from '../support/machine.ts';
import { anEvent, numberAll, visibleEvents } from './events-support.ts';
import { addPurchase, findPurchase, nothingOf, partsOf } from './every-collection.ts';
import { atOnce, mocha } from './harness.ts';
import type { Kept } from './other-process/messages.ts';
import { openInProcess, type StoreProcess } from './other-process/open.ts';
import { aFullPurchase, aProduct, aRecord, later, noon } from './samples.ts';

/** A new empty store, and where other processes open it. */
export type OpenKept = () => Promise<{ readonly isKept: Kept; close(): Promise<void> }>;

/** What a store has committed outlives the process that has committed it. Each test has a store of its own. */
export const describeDurability = (adapter: string, open: OpenKept, runner = mocha()) =>
  runner.describe(`${adapter}: what was committed by a process that has ended`, () => {
    const { it } = runner;

    /** Lets a process use a new store, and reads in another one, once the first has ended. */
    const inTurn = async <T>(
      use: (process: StoreProcess) => Promise<T>,
      read: (process: StoreProcess, given: T) => Promise<void>,
    ): Promise<void> => {
      const { isKept, close } = await open();
      try {
        const first = await openInProcess(isKept);
        const given = await use(first).finally(() => first.kill());
        const second = await openInProcess(isKept);
        await read(second, given).finally(() => second.close());
      } finally {
        await close();
      }
    };

    /** One of everything, and the work that adds it. */
    const aStory = () => {
      const [purchase, record, event] = [aFullPurchase(), aRecord({ response: 'done' }), anEvent()];
      const { product } = purchase;
      const words = { productId: product.id, words: Search.wordsOf(product) };
      const lease = { name: newId(), holder: 'Ada', expiresAt: later(100) };
      const [providerObject, provider] = [{ kind: 'charge', reference: 'ch_1' } as const, 'mine'];
      const add: Work<void> = async (all) => {
        await addPurchase(all, purchase);
        await all.idempotencyKeys.add(record);
        await all.productWords.add([words]);
        await all.leases.acquire(lease, noon);
        await all.reconciliationTasks.enqueue(provider, providerObject, noon);
      };
      const expectAll = async (process: StoreProcess): Promise<void> => {
        const { unitOfWork } = process;
        const found = await unitOfWork.read(async (all) => ({
          ...(await findPurchase(all, purchase)),
          record: await all.idempotencyKeys.find(record.userId, record.key),
          words: await all.productWords.between({}),
          task: (await all.reconciliationTasks.find(provider, providerObject))?.events,
        }));
        expect(found).to.deep.equal({ ...partsOf(purchase), record, words: [words], task: 1 });
        const acquire = () =>
          unitOfWork.run(({ leases }) => leases.acquire({ ...lease, holder: 'Bob' }, noon));
        expect(await acquire(), 'a lease that another process holds').to.equal(false);
        await numberAll(process);
        const events = await visibleEvents(process, 0);
        expect(events.map(({ subject }) => subject.id)).to.deep.equal([event.subject.id]);
      };
      return { purchase, event, add, expectAll };
    };

    it('is there after that process was killed (SIGKILL)', async () => {
      const { event, add, expectAll } = aStory();
      const commit = (process: StoreProcess) =>
        process.unitOfWork.run(async (all) => {
          await add(all);
          await all.events.append([event]);
        });
      await inTurn(commit, expectAll);
    }, 60_000);

    it('is there after its store was closed', async () => {
      const { event, add, expectAll } = aStory();
      const commit = async (process: StoreProcess) => {
        await process.unitOfWork.run(async (all) => {
          await add(all);
          await all.events.append([event]);
        });
        await process.close();
      };
      await inTurn(commit, expectAll);
    }, 60_000);

    it('is there as far as it was acknowledged, although others were under way when it was killed', async () => {
      const count = 60;
      const commitMany = async ({ unitOfWork, kill }: StoreProcess) => {
        const acknowledged: string[] = [];
        const half = Promise.withResolvers<void>();
        const running = atOnce(count, async () => {
          const product = aProduct();
          await unitOfWork.run(({ products }) => products.add(product));
          acknowledged.push(product.id);
          if (acknowledged.length >= count / 2) half.resolve();
        });
        await Promise.race([half.promise, Promise.all(running)]);
        await kill();
        await Promise.allSettled(running);
        return acknowledged;
      };
      await inTurn(commitMany, async ({ unitOfWork }, acknowledged) => {
        const { rows } = await unitOfWork.read(({ products }) => products.page({}, { limit: count }));
        expect(rows.map(({ id }) => id)).to.include.members(acknowledged);
      });
    }, 60_000);

    it('has nothing of a unit of work that had not ended when it was killed', async () => {
      const { purchase, add } = aStory();
      const begin = async ({ unitOfWork, kill }: StoreProcess) => {
        const begun = Promise.withResolvers<void>();
        const running = unitOfWork.run(async (all) => {
          await add(all);
          // Whatever was changed has reached the database by now.
          await findPurchase(all, purchase);
          begun.resolve();
          await new Promise(() => undefined);
        });
        await Promise.race([begun.promise, running]);
        running.catch(() => undefined);
        await kill();
      };
      await inTurn(begin, async ({ unitOfWork }) => {
        expect(await unitOfWork.read((all) => findPurchase(all, purchase))).to.deep.equal(nothingOf);
      });
    }, 60_000);
  });
