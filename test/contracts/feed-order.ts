import { expect } from 'chai';
import { sleep } from '#adapters/support/time.ts';
import { DomainError } from '#domain/errors.ts';
import type { Event } from '#domain/event.ts';
import { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { Random } from '../support/random.ts';
import { testSeed } from '../support/seed.ts';
import { anEvent, appendTo, numberAll, visibleEvents } from './events-support.ts';
import {
  anotherFor,
  atOnce,
  briefly,
  existing,
  mocha,
  rejectionOf,
  type Suite,
  storeFor,
} from './harness.ts';
import { aProduct, later } from './samples.ts';

const [writers, unitsOfEach, productCount] = [16, 8, 4];

/** What `EventStore` promises about the order of the feed, although units of work and sequencers run at the same time. */
export const describeFeedOrder: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: the feed of concurrent units of work`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);
    const another = anotherFor(store, runner);

    const processes = () => [store, another()] as const;
    const lastSequence = async () => (await store.unitOfWork.read(({ events }) => events.feed())).last;
    const sequences = (events: readonly Event[]) => events.map(({ sequence }) => sequence);
    const subjects = (events: readonly Event[]) => events.map(({ subject }) => subject.id);
    const countFrom = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => first + index);

    /** Reads behind the last event that it has seen, again and again. @returns all, and what was not in its place */
    const follow = async (last: number, isDone: () => boolean) => {
      const [seen, misplaced]: [Event[], number[]] = [[], []];
      for (let isLast = false; !isLast; ) {
        isLast = isDone();
        for (const event of await visibleEvents(store, last + seen.length)) {
          if (event.sequence !== last + seen.length + 1) misplaced.push(event.sequence);
          seen.push(event);
        }
        await sleep(1);
      }
      return { seen, misplaced };
    };

    it('shows no sequence before a smaller one, and what has seen a change behind it', async () => {
      const all = atOnce(productCount, async () => aProduct({ stock: Quantity.zero }));
      const stocked = await Promise.all(all);
      await store.unitOfWork.run(({ products }) => products.addAll(stocked));
      const last = await lastSequence();
      const random = new Random(testSeed());

      /** Changes a product, and adds what tells of the version that it has seen. */
      const change = (index: number, turn: number) =>
        existing(processes()[index % 2]).unitOfWork.run(async ({ products, events }) => {
          const { id } = existing(stocked[(index + turn) % productCount]);
          const held = existing(await products.lock(id));
          const next = Product.release(held, Quantity.of(1), later(1));
          await products.save(next);
          const seen = { ...aProduct(), name: `${next.version}`, description: id };
          await events.append([anEvent({ data: next, type: 'product.updated' }), anEvent({ data: seen })]);
          await sleep(random.next() * 3);
          if ((index + turn) % 5 === 0) throw new DomainError('conflict', 'It was changed.');
        });

      let isDone = false;
      const numbering = processes().map(async (process) => {
        while (!isDone) {
          await numberAll(process);
          await sleep(random.next() * 3);
        }
        await numberAll(process);
      });
      let isNumbered = false;
      const following = follow(last, () => isNumbered);
      await Promise.all(
        atOnce(writers, async (index) => {
          for (let turn = 0; turn < unitsOfEach; turn += 1)
            await change(index, turn).catch((error: unknown) => {
              if (!(error instanceof DomainError)) throw error;
            });
        }),
      );
      isDone = true;
      await Promise.all(numbering);
      isNumbered = true;
      const { seen, misplaced } = await following;
      expect(misplaced, 'not behind the one before').to.deep.equal([]);
      expect(sequences(await visibleEvents(store, last))).to.deep.equal(countFrom(last + 1, seen.length));
      const ids = seen.map(({ id }) => id);
      expect([...ids].sort(), 'ids ascend').to.deep.equal(ids);
      for (const { id } of stocked) {
        const { version } = existing(await store.unitOfWork.read(({ products }) => products.find(id)));
        const told = seen.flatMap(({ subject, data }) => {
          if (subject.id === id) return [`version ${subject.version}`];
          const { name, description } = data as Product;
          return description === id ? [`seen ${name}`] : [];
        });
        const versions = countFrom(2, version - 1);
        expect(told).to.deep.equal(versions.flatMap((each) => [`version ${each}`, `seen ${each}`]));
      }
    });

    it('leaves no place free for a unit of work that has not committed', async () => {
      const last = await lastSequence();
      const [slow, fast] = [anEvent(), anEvent()];
      const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const running = store.unitOfWork.run(async ({ events, products }) => {
        await events.append([slow]);
        // A store may keep what is appended until a later read.
        await products.find(slow.subject.id as Product['id']);
        reached.resolve();
        await gate.promise;
      });
      await briefly(reached.promise);
      const other = processes()[1].unitOfWork.run(({ events }) => events.append([fast]));
      await briefly(other, store.isSerial);
      await numberAll(store);
      const early = await visibleEvents(store, last);
      gate.resolve();
      await Promise.all([running, other]);
      await numberAll(store);
      const visible = await visibleEvents(store, last);
      expect(sequences(early)).to.deep.equal(countFrom(last + 1, early.length));
      expect(visible.slice(0, early.length)).to.deep.equal(early);
      expect(sequences(visible)).to.deep.equal([last + 1, last + 2]);
      expect(subjects(visible)).to.have.members([slow.subject.id, fast.subject.id]);
    });

    it('has each event once, although several processes number at the same time', async () => {
      for (let round = 0; round < 4; round += 1) {
        const last = await lastSequence();
        const list = Array.from({ length: 24 }, () => anEvent());
        await Promise.all(
          atOnce(12, (index) =>
            existing(processes()[index % 2]).unitOfWork.run(({ events }) =>
              events.append(list.slice(2 * index, 2 * index + 2)),
            ),
          ),
        );
        const counts = await Promise.all(atOnce(6, (index) => numberAll(existing(processes()[index % 2]))));
        if (store.numberEvents !== undefined)
          expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(list.length);
        const visible = await visibleEvents(store, last);
        expect(sequences(visible)).to.deep.equal(countFrom(last + 1, list.length));
        expect(subjects(visible)).to.have.members(list.map(({ subject }) => subject.id));
      }
    });

    it('has the events of a process that ended before it has numbered them', async () => {
      const last = await lastSequence();
      const list = [anEvent(), anEvent(), anEvent()];
      await store.unitOfWork.run(({ events }) => events.append(list));
      await numberAll(processes()[1]);
      for (const process of processes()) {
        const visible = await visibleEvents(process, last);
        expect(subjects(visible)).to.deep.equal(list.map(({ subject }) => subject.id));
        expect(sequences(visible)).to.deep.equal(countFrom(last + 1, 3));
      }
    });

    it('has no hole where units of work fail beside others', async () => {
      const last = await lastSequence();
      const failing = (index: number) =>
        rejectionOf(
          existing(processes()[index % 2]).unitOfWork.run(async ({ events }) => {
            await events.append([anEvent(), anEvent()]);
            throw new RangeError('changed my mind');
          }),
        );
      await Promise.all(
        atOnce(10, (index) => (index % 2 === 0 ? failing(index) : appendTo(store, [anEvent()]))),
      );
      expect(sequences(await visibleEvents(store, last))).to.deep.equal(countFrom(last + 1, 5));
    });
  });
