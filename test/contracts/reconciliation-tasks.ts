import { expect } from 'chai';
import type { Place } from '#application/ports/charge-lifecycle.ts';
import type { LookUp, LookUpStore } from '#application/ports/reconciliation-tasks.ts';
import { atOnce, existing, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { later, noon } from './samples.ts';

/** The contract of `LookUpStore`. */
export const describeLookUps: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: look-ups at a provider`, () => {
    const { it, beforeEach } = runner;
    const store = storeFor(open, runner);
    let provider = '';
    let count = 0;
    beforeEach(() => {
      count += 1;
      provider = `provider ${count}`;
    });

    const work = <T>(run: (lookUps: LookUpStore) => Promise<T>): Promise<T> =>
      store.unitOfWork.run(({ lookUps }) => run(lookUps));

    const charge = (reference: string): Place => ({ kind: 'charge', reference });
    const one = charge('ch_1');

    const note = (place: Place, at = noon) => work((lookUps) => lookUps.note(provider, place, at));
    const follow = (place: Place, dueAt = noon, at = noon) =>
      work((lookUps) => lookUps.follow(provider, place, dueAt, at));
    const take = (lookUp: LookUp, now = noon, dueAt = later(5_000)) =>
      work((lookUps) => lookUps.take(lookUp, now, dueAt));
    const find = (place: Place = one) =>
      store.unitOfWork.read(({ lookUps }) => lookUps.find(provider, place));
    const found = async (place: Place = one): Promise<LookUp> => existing(await find(place));
    const due = async (now = noon, limit = 100) => {
      const rows = await store.unitOfWork.read(({ lookUps }) => lookUps.due(provider, now, limit));
      return rows.map(({ reference }) => reference);
    };

    it('that an event has asked for are found as they are, and by no other name', async () => {
      await note(one);
      expect(await found()).to.deep.equal({
        ...{ provider, ...one, createdAt: noon, dueAt: noon, lookedUpAt: null, attempts: 0, events: 1 },
      });
      for (const other of [charge('CH_1'), charge('ch_1 '), { ...one, kind: 'refund' } as const])
        expect(await find(other)).to.equal(undefined);
      const lookUp = await store.unitOfWork.read(({ lookUps }) => lookUps.find(`${provider} `, one));
      expect(lookUp).to.equal(undefined);
    });

    it('are found by the longest reference, code point by code point', async () => {
      const longest = charge('🔑'.repeat(254));
      const ends = ['E', 'S', 'e', 's', 'ß', 'é'];
      const places = ends.map((end) => charge(longest.reference + end));
      for (const [index, place] of places.entries()) await (index % 2 === 0 ? note(place) : follow(place));
      const references = async () => [...(await due())].sort();
      expect(await references()).to.deep.equal(places.map(({ reference }) => reference));
      // Each of these changes the look-up of this place alone.
      await take(await found(places[0]));
      expect(await references()).to.deep.equal(places.slice(1).map(({ reference }) => reference));
      const postponed = await found(places[1]);
      await work((lookUps) => lookUps.postpone(postponed, later(5_000)));
      expect(await references()).to.deep.equal(places.slice(2).map(({ reference }) => reference));
      const removed = await found(places[2]);
      await work((lookUps) => lookUps.remove(removed));
      expect(await references()).to.deep.equal(places.slice(3).map(({ reference }) => reference));
    });

    it('of a place that is followed are due when it is said, and stay as they are when it is followed again', async () => {
      await follow(one, later(5_000));
      const first = await found();
      expect(first).to.include({ createdAt: noon, dueAt: later(5_000), events: 0, attempts: 0 });
      await follow(one, later(1), later(2));
      expect(await found()).to.deep.equal(first);
      await note(one, later(3));
      const noted = await found();
      await follow(one, later(1), later(4));
      expect(await found()).to.deep.equal(noted);
    });

    it('are due at once, as if never made, when an event names their place', async () => {
      await follow(one, later(60_000));
      await take(await found(), later(1), later(90_000));
      await note(one, later(2));
      expect(await found()).to.deep.equal({
        ...{
          provider,
          ...one,
          createdAt: noon,
          dueAt: later(2),
          lookedUpAt: later(1),
          attempts: 0,
          events: 1,
        },
      });
      await note(one, later(3));
      expect(await found()).to.include({ dueAt: later(3), events: 2 });
    });

    it('count each of twenty events that arrive at once', async () => {
      await Promise.all(atOnce(20, (index) => note(one, later(index))));
      expect(await found()).to.include({ events: 20, createdAt: (await found()).createdAt });
    });

    it('are listed when they are due, the longest due first, those of one provider alone', async () => {
      await work((lookUps) => lookUps.note(`${provider} too`, charge('other'), later(-9)));
      await note(charge('second'), later(-2));
      await note(charge('third'), noon);
      await note(charge('first'), later(-3));
      await note(charge('later'), later(1));
      expect(await due()).to.deep.equal(['first', 'second', 'third']);
      expect(await due(noon, 2)).to.deep.equal(['first', 'second']);
      expect(await due(later(1))).to.deep.equal(['first', 'second', 'third', 'later']);
    });

    it('are listed as many as were asked for', async () => {
      const references = Array.from({ length: 150 }, (_, index) => `ch_${index}`);
      await work(async (lookUps) => {
        for (const [index, reference] of references.entries())
          await lookUps.note(provider, charge(reference), later(index - 150));
      });
      expect(await due(noon, 120)).to.deep.equal(references.slice(0, 120));
      expect(await due(noon, 1_000)).to.deep.equal(references);
    });

    it('name each provider once', async () => {
      const names = async () =>
        [...(await store.unitOfWork.read(({ lookUps }) => lookUps.providers()))]
          .filter((name) => name.startsWith(provider))
          .sort();
      expect(await names()).to.deep.equal([]);
      await note(one);
      await note(charge('ch_2'));
      await work((lookUps) => lookUps.follow(`${provider} too`, one, noon, noon));
      const both = [provider, `${provider} too`];
      expect(await names()).to.deep.equal(both);
      // Whether they are due, were taken or are postponed: there are look-ups.
      for (const place of [one, charge('ch_2')]) await take(await found(place), noon, later(60_000));
      expect(await names()).to.deep.equal(both);
      const taken = await found();
      await work((lookUps) => lookUps.postpone(taken, later(90_000)));
      expect(await names()).to.deep.equal(both);
      for (const place of [one, charge('ch_2')]) {
        const lookUp = await found(place);
        expect(await names()).to.deep.equal(both);
        await work((lookUps) => lookUps.remove(lookUp));
      }
      expect(await names()).to.deep.equal([`${provider} too`]);
    });

    it('are taken once as they were read, and are due later then', async () => {
      await note(one);
      const read = await found();
      expect(await take(read, later(1), later(5_001))).to.equal(true);
      expect(await found()).to.deep.equal({
        ...read,
        dueAt: later(5_001),
        lookedUpAt: later(1),
        attempts: 1,
      });
      expect(await take(read, later(2), later(9_000))).to.equal(false);
      expect(await found()).to.include({ dueAt: later(5_001), attempts: 1 });
      expect(await due(later(5_000))).to.deep.equal([]);
      expect(await take(await found(), later(3), later(9_000))).to.equal(true);
      expect(await found()).to.deep.equal({
        ...read,
        dueAt: later(9_000),
        lookedUpAt: later(3),
        attempts: 2,
      });
    });

    it('are taken by one of twenty processes that have read the same', async () => {
      await note(one);
      const read = await found();
      const taken = await Promise.all(atOnce(20, () => take(read)));
      expect(taken.filter(Boolean)).to.have.lengthOf(1);
    });

    it('are not taken when an event has named their place since, or when they are gone', async () => {
      await note(one);
      const read = await found();
      await note(one, later(1));
      expect(await take(read)).to.equal(false);
      const anew = await found();
      expect(anew).to.include({ attempts: 0, dueAt: later(1) });
      await work((lookUps) => lookUps.remove(anew));
      expect(await take(anew)).to.equal(false);
    });

    it('are removed as they were read, also after they were taken, and others stay', async () => {
      await note(one);
      await note(charge('ch_2'));
      const read = await found();
      await take(read);
      for (const _ of ['once', 'twice']) await work((lookUps) => lookUps.remove(read));
      expect(await find()).to.equal(undefined);
      expect(await found(charge('ch_2'))).to.include({ events: 1 });
    });

    it('stay when an event names their place while they are made', async () => {
      await note(one);
      const read = await found();
      await take(read);
      await note(one, later(1));
      await work((lookUps) => lookUps.remove(read));
      await work((lookUps) => lookUps.postpone(read, later(60_000)));
      expect(await found()).to.include({ dueAt: later(1), events: 2 });
    });

    it('stay when they were removed and asked for anew while they are made', async () => {
      await note(one);
      const read = await found();
      await work((lookUps) => lookUps.remove(read));
      await note(one, later(1));
      await work((lookUps) => lookUps.remove(read));
      expect(await found()).to.include({ createdAt: later(1), events: 1 });
    });

    it('are postponed as if never made, and keep everything else', async () => {
      await follow(one);
      await take(await found());
      const taken = await found();
      await work((lookUps) => lookUps.postpone(taken, later(60_000)));
      expect(await found()).to.deep.equal({ ...taken, dueAt: later(60_000), attempts: 0 });
      for (const dueAt of [later(90_000), later(70_000)]) {
        const postponed = await found();
        await work((lookUps) => lookUps.postpone(postponed, dueAt));
        expect(await found()).to.deep.equal({ ...taken, dueAt, attempts: 0 });
      }
    });

    it('are found as a unit of work has left them, together with what was committed', async () => {
      for (const reference of ['ch_kept', 'ch_removed', 'ch_taken', 'ch_postponed'])
        await note(charge(reference), later(-9));
      await follow(charge('ch_early'), later(9));
      await work(async (lookUps) => {
        const own = async (reference: string) => existing(await lookUps.find(provider, charge(reference)));
        await lookUps.note(provider, charge('ch_noted'), later(-5));
        await lookUps.follow(provider, charge('ch_followed'), later(-4), noon);
        await lookUps.follow(`${provider} too`, one, noon, noon);
        await lookUps.note(provider, charge('ch_early'), later(-3));
        await lookUps.remove(await own('ch_removed'));
        expect(await lookUps.take(await own('ch_taken'), noon, later(5_000))).to.equal(true);
        await lookUps.postpone(await own('ch_postponed'), later(5_000));
        const dueOnes = await lookUps.due(provider, noon, 100);
        const expected = ['ch_kept', 'ch_noted', 'ch_followed', 'ch_early'];
        expect(dueOnes.map(({ reference }) => reference)).to.deep.equal(expected);
        expect((await lookUps.due(provider, noon, 2)).map(({ reference }) => reference)).to.deep.equal(
          expected.slice(0, 2),
        );
        expect(await lookUps.find(provider, charge('ch_removed'))).to.equal(undefined);
        expect(await own('ch_taken')).to.include({ attempts: 1, lookedUpAt: noon });
        const names = (await lookUps.providers()).filter((name) => name.startsWith(provider));
        expect([...names].sort()).to.deep.equal([provider, `${provider} too`]);
        await lookUps.readNewsUntil(provider, later(1));
        expect(await lookUps.newsReadUntil(provider)).to.equal(later(1));
      });
    });

    it('are neither noted nor removed by a unit of work that rolls back', async () => {
      await note(one);
      const read = await found();
      await rejectionOf(
        work(async (lookUps) => {
          await lookUps.remove(read);
          await lookUps.note(provider, charge('ch_2'), noon);
          throw new Error('It changed its mind.');
        }),
      );
      expect(await due()).to.deep.equal(['ch_1']);
    });

    it('remember until when the list of events of each provider was read, and the latest time', async () => {
      const readUntil = () => store.unitOfWork.read(({ lookUps }) => lookUps.newsReadUntil(provider));
      expect(await readUntil()).to.equal(undefined);
      for (const [until, expected] of [
        [noon, noon],
        [later(2), later(2)],
        [later(1), later(2)],
      ] as const) {
        await work((lookUps) => lookUps.readNewsUntil(provider, until));
        expect(await readUntil()).to.equal(expected);
      }
      const other = await store.unitOfWork.read(({ lookUps }) => lookUps.newsReadUntil(`${provider} too`));
      expect(other).to.equal(undefined);
    });
  });
