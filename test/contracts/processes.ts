import { expect } from 'chai';
import { sleep } from '#adapters/support/time.ts';
import type { UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import { Product } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { User } from '#domain/user.ts';
import { newId } from '../support/machine.ts';
import { anotherFor, atOnce, existing, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aProduct, aPurchase, aRecord, aUser, later, noon } from './samples.ts';

/** What holds although the units of work run in two processes, so that no lock of one process can see to it. */
export const describeProcesses: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: units of work in two processes`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);
    const another = anotherFor(store, runner);

    const processes = (): readonly [UnitOfWork, UnitOfWork] => [store.unitOfWork, another().unitOfWork];

    /** Runs each work in one process or the other. */
    const inBoth = <T>(count: number, work: (index: number) => Work<T>): Promise<T>[] =>
      atOnce(count, (index) => existing(processes()[index % 2]).run(work(index)));

    it('lose no update when each locks what it changes', async () => {
      const product = aProduct({ stock: Quantity.zero });
      await store.unitOfWork.run(({ products }) => products.add(product));
      await Promise.all(
        inBoth(20, () => async ({ products }) => {
          const held = existing(await products.lock(product.id));
          await products.save(Product.release(held, Quantity.of(1), later(1)));
        }),
      );
      for (const process of processes()) {
        const found = await process.read(({ products }) => products.find(product.id));
        expect(found).to.include({ stock: Quantity.of(20), version: 21 });
      }
    });

    it('lose no update when none locks what it changes', async () => {
      const product = aProduct();
      await store.unitOfWork.run(({ products }) => products.add(product));
      const change =
        (index: number): Work<void> =>
        async ({ products }) => {
          const found = existing(await products.find(product.id));
          await sleep(5);
          await products.save(
            Product.change(found, index === 0 ? { name: 'Mate' } : { description: 'Mild' }, later(1)),
          );
        };
      await Promise.all(inBoth(2, change));
      const found = await store.unitOfWork.read(({ products }) => products.find(product.id));
      expect(found).to.include({ name: 'Mate', description: 'Mild', version: 3 });
    });

    it('add an idempotency key once, whichever is first', async () => {
      const record = aRecord();
      const outcomes = await Promise.all(
        inBoth(10, (index) => async ({ idempotencyKeys, products }) => {
          const there = await idempotencyKeys.find(record.userId, record.key);
          if (there !== undefined) return there.response;
          await products.find(newId());
          await idempotencyKeys.add({ ...record, response: `${index}` });
          return `${index}`;
        }),
      );
      const found = await store.unitOfWork.read((all) => all.idempotencyKeys.find(record.userId, record.key));
      expect(new Set(outcomes)).to.deep.equal(new Set([found?.response]));
    });

    it('add one of several users with the same e-mail address, and reject the others', async () => {
      const { email } = aUser();
      const results = await Promise.allSettled(
        inBoth(6, () => async ({ users }) => {
          await users.findBy('email', [email]);
          await users.add(aUser({ email }));
        }),
      );
      const rejected = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      expect(rejected).to.have.lengthOf(5);
      for (const reason of rejected) expect(reason).to.include({ kind: 'conflict' });
      expect(await store.unitOfWork.read(({ users }) => users.findBy('email', [email]))).to.have.lengthOf(1);
    });

    it('begin one live payment of an order, which the others see', async () => {
      const { user, order, payment } = aPurchase();
      await store.unitOfWork.run(async ({ users, orders }) => {
        await users.add(user);
        await orders.add(order);
      });
      const outcomes = await Promise.all(
        inBoth(4, () => async ({ payments }) => {
          const [live] = await payments.findBy('orderId', [order.id]);
          if (live !== undefined) return 'seen';
          await payments.add({ ...payment, id: newId() });
          return 'begun';
        }),
      );
      expect(outcomes.filter((outcome) => outcome === 'begun')).to.have.lengthOf(1);
    });

    it('lose when they lock a row, read, insert elsewhere and change the row at the same time (write skew)', async () => {
      for (const _ of Array(5)) {
        const { user, order } = aPurchase();
        await store.unitOfWork.run(({ users }) => users.add(user));
        const providerObject: Work<string> = async ({ users, orders }) => {
          const held = existing(await users.lock(user.id));
          const [earlier] = await orders.findBy('userId', [user.id]);
          await sleep(5);
          if (earlier !== undefined) return 'seen';
          await orders.add({ ...order, id: newId() });
          await users.save(User.change(held, { name: 'Grace' }, later(1)));
          await sleep(5);
          return 'placed';
        };
        const outcomes = await Promise.all(inBoth(2, () => providerObject));
        expect(outcomes).to.have.members(['placed', 'seen']);
      }
    });

    it('let nothing refer to what the other process removes', async () => {
      for (const isFirst of [true, false]) {
        const { user, order } = aPurchase();
        await store.unitOfWork.run(({ users }) => users.add(user));
        const add: Work<unknown> = async ({ users, orders }) => {
          if ((await users.find(user.id)) !== undefined) await orders.add(order);
        };
        const remove: Work<unknown> = async ({ users, orders }) => {
          const { rows } = await orders.page({ userId: user.id }, { limit: 1 });
          if (rows.length === 0) await users.remove(user.id);
        };
        await Promise.all(inBoth(2, (index) => ((index === 0) === isFirst ? add : remove)));
        const left = await store.unitOfWork.read(async ({ users, orders }) => [
          (await users.find(user.id)) !== undefined,
          (await orders.find(order.id)) !== undefined,
        ]);
        expect(left[0], 'the user of an order').to.equal(left[1]);
      }
    });

    it('acquire a lease once', async () => {
      const name = newId();
      const acquired = await Promise.all(
        inBoth(
          10,
          (index) =>
            ({ leases }) =>
              leases.acquire({ name, holder: `${index}`, expiresAt: later(100) }, noon),
        ),
      );
      expect(acquired.filter(Boolean)).to.have.lengthOf(1);
    });

    it('see at once what was committed for the same user in the other process', async () => {
      const [first, second] = processes();
      const user = aUser();
      const context = { actor: user.id };
      for (const [writer, reader] of [
        [first, second],
        [second, first],
      ] as const) {
        const product = aProduct({ sku: newId() });
        const read = () =>
          reader.read(({ products }) => products.findBy('sku', [product.sku ?? '']), context);
        expect(await read()).to.deep.equal([]);
        await writer.run(({ products }) => products.add(product), context);
        expect(await read()).to.deep.equal([product]);
      }
    });

    it('claim each task once, and see the events that the other has enqueued', async () => {
      const [first, second] = processes();
      const provider = newId();
      const providerObject = { kind: 'charge', reference: 'ch_1' } as const;
      const find = (process: UnitOfWork) =>
        process.read(({ reconciliationTasks }) => reconciliationTasks.find(provider, providerObject));
      await first.run(({ reconciliationTasks }) =>
        reconciliationTasks.enqueue(provider, providerObject, noon),
      );
      const read = existing(await find(second));
      const claimed = await Promise.all(
        inBoth(
          10,
          () =>
            ({ reconciliationTasks }) =>
              reconciliationTasks.claim(read, noon, later(5_000)),
        ),
      );
      expect(claimed.filter(Boolean)).to.have.lengthOf(1);
      await second.run(({ reconciliationTasks }) =>
        reconciliationTasks.enqueue(provider, providerObject, later(1)),
      );
      await first.run(({ reconciliationTasks }) => reconciliationTasks.remove(read));
      for (const process of processes())
        expect(await find(process)).to.include({ events: 2, attempts: 0, dueAt: later(1) });
    });

    it('leave nothing of what fails in either', async () => {
      const product = aProduct();
      const failing = inBoth(2, () => async ({ products }) => {
        await products.add({ ...product, id: newId(), sku: 'never' });
        throw new RangeError('changed my mind');
      });
      for (const error of await Promise.all(failing.map(rejectionOf)))
        expect(error).to.be.instanceOf(RangeError);
      for (const process of processes())
        expect(await process.read(({ products }) => products.findBy('sku', ['never']))).to.deep.equal([]);
    });
  });
