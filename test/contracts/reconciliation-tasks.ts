import { expect } from 'chai';
import type { ProviderObject } from '#application/ports/charge-lifecycle.ts';
import type { ReconciliationTask, ReconciliationTaskStore } from '#application/ports/reconciliation-tasks.ts';
import { atOnce, existing, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { later, noon } from './samples.ts';

/** The contract of `ReconciliationTaskStore`. */
export const describeReconciliationTasks: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: reconciliation tasks`, () => {
    const { it, beforeEach } = runner;
    const store = storeFor(open, runner);
    let provider = '';
    let count = 0;
    beforeEach(() => {
      count += 1;
      provider = `provider ${count}`;
    });

    const work = <T>(run: (reconciliationTasks: ReconciliationTaskStore) => Promise<T>): Promise<T> =>
      store.unitOfWork.run(({ reconciliationTasks }) => run(reconciliationTasks));

    const charge = (reference: string): ProviderObject => ({ kind: 'charge', reference });
    const one = charge('ch_1');

    const enqueue = (providerObject: ProviderObject, at = noon) =>
      work((reconciliationTasks) => reconciliationTasks.enqueue(provider, providerObject, at));
    const schedule = (providerObject: ProviderObject, dueAt = noon, at = noon) =>
      work((reconciliationTasks) => reconciliationTasks.schedule(provider, providerObject, dueAt, at));
    const claim = (task: ReconciliationTask, now = noon, dueAt = later(5_000)) =>
      work((reconciliationTasks) => reconciliationTasks.claim(task, now, dueAt));
    const find = (providerObject: ProviderObject = one) =>
      store.unitOfWork.read(({ reconciliationTasks }) => reconciliationTasks.find(provider, providerObject));
    const found = async (providerObject: ProviderObject = one): Promise<ReconciliationTask> =>
      existing(await find(providerObject));
    const due = async (now = noon, limit = 100) => {
      const rows = await store.unitOfWork.read(({ reconciliationTasks }) =>
        reconciliationTasks.listDue(provider, now, limit),
      );
      return rows.map(({ reference }) => reference);
    };

    it('that an event has asked for are found as they are, and by no other name', async () => {
      await enqueue(one);
      expect(await found()).to.deep.equal({
        ...{ provider, ...one, createdAt: noon, dueAt: noon, lastAttemptAt: null, attempts: 0, events: 1 },
      });
      for (const other of [charge('CH_1'), charge('ch_1 '), { ...one, kind: 'refund' } as const])
        expect(await find(other)).to.equal(undefined);
      const task = await store.unitOfWork.read(({ reconciliationTasks }) =>
        reconciliationTasks.find(`${provider} `, one),
      );
      expect(task).to.equal(undefined);
    });

    it('are found by the longest reference, code point by code point', async () => {
      const longest = charge('🔑'.repeat(254));
      const ends = ['E', 'S', 'e', 's', 'ß', 'é'];
      const providerObjects = ends.map((end) => charge(longest.reference + end));
      for (const [index, providerObject] of providerObjects.entries())
        await (index % 2 === 0 ? enqueue(providerObject) : schedule(providerObject));
      const references = async () => [...(await due())].sort();
      expect(await references()).to.deep.equal(providerObjects.map(({ reference }) => reference));
      // Each of these changes the task of this object alone.
      await claim(await found(providerObjects[0]));
      expect(await references()).to.deep.equal(providerObjects.slice(1).map(({ reference }) => reference));
      const postponed = await found(providerObjects[1]);
      await work((reconciliationTasks) => reconciliationTasks.postpone(postponed, later(5_000)));
      expect(await references()).to.deep.equal(providerObjects.slice(2).map(({ reference }) => reference));
      const removed = await found(providerObjects[2]);
      await work((reconciliationTasks) => reconciliationTasks.remove(removed));
      expect(await references()).to.deep.equal(providerObjects.slice(3).map(({ reference }) => reference));
    });

    it('that are scheduled are due at their time, and stay as they are when they are scheduled again', async () => {
      await schedule(one, later(5_000));
      const first = await found();
      expect(first).to.include({ createdAt: noon, dueAt: later(5_000), events: 0, attempts: 0 });
      await schedule(one, later(1), later(2));
      expect(await found()).to.deep.equal(first);
      await enqueue(one, later(3));
      const noted = await found();
      await schedule(one, later(1), later(4));
      expect(await found()).to.deep.equal(noted);
    });

    it('are due at once, as if never attempted, when an event names their object', async () => {
      await schedule(one, later(60_000));
      await claim(await found(), later(1), later(90_000));
      await enqueue(one, later(2));
      expect(await found()).to.deep.equal({
        ...{
          provider,
          ...one,
          createdAt: noon,
          dueAt: later(2),
          lastAttemptAt: later(1),
          attempts: 0,
          events: 1,
        },
      });
      await enqueue(one, later(3));
      expect(await found()).to.include({ dueAt: later(3), events: 2 });
    });

    it('count each of twenty events that arrive at once', async () => {
      await Promise.all(atOnce(20, (index) => enqueue(one, later(index))));
      expect(await found()).to.include({ events: 20, createdAt: (await found()).createdAt });
    });

    it('are listed when they are due, the longest due first, those of one provider alone', async () => {
      await work((reconciliationTasks) =>
        reconciliationTasks.enqueue(`${provider} too`, charge('other'), later(-9)),
      );
      await enqueue(charge('second'), later(-2));
      await enqueue(charge('third'), noon);
      await enqueue(charge('first'), later(-3));
      await enqueue(charge('later'), later(1));
      expect(await due()).to.deep.equal(['first', 'second', 'third']);
      expect(await due(noon, 2)).to.deep.equal(['first', 'second']);
      expect(await due(later(1))).to.deep.equal(['first', 'second', 'third', 'later']);
    });

    it('are listed as many as were asked for', async () => {
      const references = Array.from({ length: 150 }, (_, index) => `ch_${index}`);
      await work(async (reconciliationTasks) => {
        for (const [index, reference] of references.entries())
          await reconciliationTasks.enqueue(provider, charge(reference), later(index - 150));
      });
      expect(await due(noon, 120)).to.deep.equal(references.slice(0, 120));
      expect(await due(noon, 1_000)).to.deep.equal(references);
    });

    it('name each provider once', async () => {
      const names = async () =>
        [...(await store.unitOfWork.read(({ reconciliationTasks }) => reconciliationTasks.providers()))]
          .filter((name) => name.startsWith(provider))
          .sort();
      expect(await names()).to.deep.equal([]);
      await enqueue(one);
      await enqueue(charge('ch_2'));
      await work((reconciliationTasks) => reconciliationTasks.schedule(`${provider} too`, one, noon, noon));
      const both = [provider, `${provider} too`];
      expect(await names()).to.deep.equal(both);
      // Whether they are due, were claimed or are postponed: there are tasks.
      for (const providerObject of [one, charge('ch_2')])
        await claim(await found(providerObject), noon, later(60_000));
      expect(await names()).to.deep.equal(both);
      const claimed = await found();
      await work((reconciliationTasks) => reconciliationTasks.postpone(claimed, later(90_000)));
      expect(await names()).to.deep.equal(both);
      for (const providerObject of [one, charge('ch_2')]) {
        const task = await found(providerObject);
        expect(await names()).to.deep.equal(both);
        await work((reconciliationTasks) => reconciliationTasks.remove(task));
      }
      expect(await names()).to.deep.equal([`${provider} too`]);
    });

    it('are claimed once as they were read, and are due later then', async () => {
      await enqueue(one);
      const read = await found();
      expect(await claim(read, later(1), later(5_001))).to.equal(true);
      expect(await found()).to.deep.equal({
        ...read,
        dueAt: later(5_001),
        lastAttemptAt: later(1),
        attempts: 1,
      });
      expect(await claim(read, later(2), later(9_000))).to.equal(false);
      expect(await found()).to.include({ dueAt: later(5_001), attempts: 1 });
      expect(await due(later(5_000))).to.deep.equal([]);
      expect(await claim(await found(), later(3), later(9_000))).to.equal(true);
      expect(await found()).to.deep.equal({
        ...read,
        dueAt: later(9_000),
        lastAttemptAt: later(3),
        attempts: 2,
      });
    });

    it('are claimed by one of twenty processes that have read the same', async () => {
      await enqueue(one);
      const read = await found();
      const claimed = await Promise.all(atOnce(20, () => claim(read)));
      expect(claimed.filter(Boolean)).to.have.lengthOf(1);
    });

    it('are not claimed when an event has named their object since, or when they are gone', async () => {
      await enqueue(one);
      const read = await found();
      await enqueue(one, later(1));
      expect(await claim(read)).to.equal(false);
      const anew = await found();
      expect(anew).to.include({ attempts: 0, dueAt: later(1) });
      await work((reconciliationTasks) => reconciliationTasks.remove(anew));
      expect(await claim(anew)).to.equal(false);
    });

    it('are removed as they were read, also after they were claimed, and others stay', async () => {
      await enqueue(one);
      await enqueue(charge('ch_2'));
      const read = await found();
      await claim(read);
      for (const _ of ['once', 'twice'])
        await work((reconciliationTasks) => reconciliationTasks.remove(read));
      expect(await find()).to.equal(undefined);
      expect(await found(charge('ch_2'))).to.include({ events: 1 });
    });

    it('stay when an event names their object while they are attempted', async () => {
      await enqueue(one);
      const read = await found();
      await claim(read);
      await enqueue(one, later(1));
      await work((reconciliationTasks) => reconciliationTasks.remove(read));
      await work((reconciliationTasks) => reconciliationTasks.postpone(read, later(60_000)));
      expect(await found()).to.include({ dueAt: later(1), events: 2 });
    });

    it('stay when they were removed and asked for anew while they are attempted', async () => {
      await enqueue(one);
      const read = await found();
      await work((reconciliationTasks) => reconciliationTasks.remove(read));
      await enqueue(one, later(1));
      await work((reconciliationTasks) => reconciliationTasks.remove(read));
      expect(await found()).to.include({ createdAt: later(1), events: 1 });
    });

    it('are postponed as if never attempted, and keep everything else', async () => {
      await schedule(one);
      await claim(await found());
      const claimed = await found();
      await work((reconciliationTasks) => reconciliationTasks.postpone(claimed, later(60_000)));
      expect(await found()).to.deep.equal({ ...claimed, dueAt: later(60_000), attempts: 0 });
      for (const dueAt of [later(90_000), later(70_000)]) {
        const postponed = await found();
        await work((reconciliationTasks) => reconciliationTasks.postpone(postponed, dueAt));
        expect(await found()).to.deep.equal({ ...claimed, dueAt, attempts: 0 });
      }
    });

    it('are found as a unit of work has left them, together with what was committed', async () => {
      for (const reference of ['ch_kept', 'ch_removed', 'ch_claimed', 'ch_postponed'])
        await enqueue(charge(reference), later(-9));
      await schedule(charge('ch_early'), later(9));
      await work(async (reconciliationTasks) => {
        const own = async (reference: string) =>
          existing(await reconciliationTasks.find(provider, charge(reference)));
        await reconciliationTasks.enqueue(provider, charge('ch_enqueued'), later(-5));
        await reconciliationTasks.schedule(provider, charge('ch_scheduled'), later(-4), noon);
        await reconciliationTasks.schedule(`${provider} too`, one, noon, noon);
        await reconciliationTasks.enqueue(provider, charge('ch_early'), later(-3));
        await reconciliationTasks.remove(await own('ch_removed'));
        expect(await reconciliationTasks.claim(await own('ch_claimed'), noon, later(5_000))).to.equal(true);
        await reconciliationTasks.postpone(await own('ch_postponed'), later(5_000));
        const dueOnes = await reconciliationTasks.listDue(provider, noon, 100);
        const expected = ['ch_kept', 'ch_enqueued', 'ch_scheduled', 'ch_early'];
        expect(dueOnes.map(({ reference }) => reference)).to.deep.equal(expected);
        expect(
          (await reconciliationTasks.listDue(provider, noon, 2)).map(({ reference }) => reference),
        ).to.deep.equal(expected.slice(0, 2));
        expect(await reconciliationTasks.find(provider, charge('ch_removed'))).to.equal(undefined);
        expect(await own('ch_claimed')).to.include({ attempts: 1, lastAttemptAt: noon });
        const names = (await reconciliationTasks.providers()).filter((name) => name.startsWith(provider));
        expect([...names].sort()).to.deep.equal([provider, `${provider} too`]);
        await reconciliationTasks.saveEventsReadUntil(provider, later(1));
        expect(await reconciliationTasks.eventsReadUntil(provider)).to.equal(later(1));
      });
    });

    it('are neither noted nor removed by a unit of work that rolls back', async () => {
      await enqueue(one);
      const read = await found();
      await rejectionOf(
        work(async (reconciliationTasks) => {
          await reconciliationTasks.remove(read);
          await reconciliationTasks.enqueue(provider, charge('ch_2'), noon);
          throw new Error('It changed its mind.');
        }),
      );
      expect(await due()).to.deep.equal(['ch_1']);
    });

    it('remember until when the list of events of each provider was read, and the latest time', async () => {
      const readUntil = () =>
        store.unitOfWork.read(({ reconciliationTasks }) => reconciliationTasks.eventsReadUntil(provider));
      expect(await readUntil()).to.equal(undefined);
      for (const [until, expected] of [
        [noon, noon],
        [later(2), later(2)],
        [later(1), later(2)],
      ] as const) {
        await work((reconciliationTasks) => reconciliationTasks.saveEventsReadUntil(provider, until));
        expect(await readUntil()).to.equal(expected);
      }
      const other = await store.unitOfWork.read(({ reconciliationTasks }) =>
        reconciliationTasks.eventsReadUntil(`${provider} too`),
      );
      expect(other).to.equal(undefined);
    });
  });
