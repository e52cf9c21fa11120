import { expect } from 'chai';
import { Product } from '#domain/product.ts';
import { User } from '#domain/user.ts';
import { newId } from '../support/machine.ts';
import { existing, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aProduct, aPurchase, aRecord, aUser, later, noon } from './samples.ts';

/** What a unit of work sees of its own changes (read-your-writes inside a transaction), and in which order they happen. */
export const describeOwnChanges: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: the changes of a unit of work`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const skus = (count: number): string[] => Array.from({ length: count }, () => newId());

    it('are found, locked and listed by itself as soon as they are made', async () => {
      const [sku = '', another = ''] = skus(2);
      const product = aProduct({ sku });
      const changed = Product.change(product, { sku: another }, later(1));
      await store.unitOfWork.run(async ({ products }) => {
        const seen = async () => ({
          found: await products.find(product.id),
          locked: await products.lock(product.id),
          listed: [
            await products.page({ sku }, { limit: 5 }),
            await products.page({ sku: another }, { limit: 5 }),
          ].map(({ rows }) => rows),
          among: [await products.findBy('sku', [sku]), await products.lockBy('sku', [another])],
        });
        const nothing = { found: undefined, locked: undefined, listed: [[], []], among: [[], []] };
        expect(await seen()).to.deep.equal(nothing);
        await products.add(product);
        expect(await seen()).to.deep.equal({
          ...{ found: product, locked: product },
          ...{ listed: [[product], []], among: [[product], []] },
        });
        await products.save(changed);
        expect(await seen()).to.deep.equal({
          ...{ found: changed, locked: changed },
          ...{ listed: [[], [changed]], among: [[], [changed]] },
        });
        await products.remove(product.id);
        expect(await seen()).to.deep.equal(nothing);
      });
    });

    it('are seen by itself when they were made in bulk', async () => {
      const all = skus(5).map((sku) => aProduct({ sku }));
      const changed = all.map((product) => Product.change(product, { name: 'Mate' }, later(1)));
      const own = all.map(({ sku }) => sku ?? '');
      await store.unitOfWork.run(async ({ products }) => {
        await products.addAll(all);
        expect(await products.findBy('sku', own)).to.deep.equal(all);
        await products.saveAll(changed);
        expect(await products.findBy('sku', own)).to.deep.equal(changed);
        expect(await products.lockBy('sku', own)).to.deep.equal(changed);
        const ids = all.map(({ id }) => id);
        expect(await products.findBy('id', ids)).to.deep.equal(changed);
        expect(await products.lockBy('id', ids)).to.deep.equal(changed);
      });
    });

    it('are listed together with what was committed, in ascending order of id', async () => {
      const { user, order, item } = aPurchase();
      const ids = Array.from({ length: 6 }, () => newId<typeof item.id>());
      const [one, two, three, four, five, six] = ids.map((id) => ({ ...item, id }));
      const committed = [two, four, five].map(existing);
      await store.unitOfWork.run(async ({ users, orders, orderItems }) => {
        await users.add(user);
        await orders.add(order);
        await orderItems.addAll(committed);
      });
      await store.unitOfWork.run(async ({ orderItems }) => {
        const { id: gone } = existing(four);
        await orderItems.addAll([six, one, three].map(existing));
        await orderItems.remove(gone);
        const page = (limit: number, after?: typeof item.id) =>
          orderItems.page({ orderId: order.id }, { limit, after });
        expect(await page(5)).to.deep.equal({ rows: [one, two, three, five, six], hasMore: false });
        expect(await page(2)).to.deep.equal({ rows: [one, two], hasMore: true });
        expect(await page(2, two?.id)).to.deep.equal({ rows: [three, five], hasMore: true });
        expect(await page(2, gone)).to.deep.equal({ rows: [five, six], hasMore: false });
        expect(await orderItems.findBy('orderId', [order.id])).to.deep.equal([one, two, three, five, six]);
      });
    });

    it('are listed together with what was committed in descending order of id, too', async () => {
      const { user, order, item } = aPurchase();
      const ids = Array.from({ length: 5 }, () => newId<typeof item.id>());
      const [one, two, three, four, five] = ids.map((id) => ({ ...item, id }));
      await store.unitOfWork.run(async ({ users, orders, orderItems }) => {
        await users.add(user);
        await orders.add(order);
        await orderItems.addAll([two, four].map(existing));
      });
      await store.unitOfWork.run(async ({ orderItems }) => {
        await orderItems.addAll([five, one, three].map(existing));
        await orderItems.remove(existing(four).id);
        const page = (limit: number, after?: typeof item.id) =>
          orderItems.page({ orderId: order.id }, { limit, after, order: 'descending' });
        expect(await page(5)).to.deep.equal({ rows: [five, three, two, one], hasMore: false });
        expect(await page(1, four?.id)).to.deep.equal({ rows: [three], hasMore: true });
        expect(await page(2, three?.id)).to.deep.equal({ rows: [two, one], hasMore: false });
      });
    });

    it('of its idempotency keys and leases are seen by itself', async () => {
      const record = aRecord();
      const answered = { ...record, response: 'done' };
      const lease = { name: newId(), holder: 'Ada', expiresAt: later(100) };
      await store.unitOfWork.run(async ({ idempotencyKeys, leases }) => {
        const seen = async () => [
          await idempotencyKeys.find(record.userId, record.key),
          await idempotencyKeys.lock(record.userId, record.key),
        ];
        await idempotencyKeys.add(record);
        expect(await seen()).to.deep.equal([record, record]);
        await idempotencyKeys.save(answered);
        expect(await seen()).to.deep.equal([answered, answered]);
        await idempotencyKeys.remove(record.userId, record.key);
        expect(await seen()).to.deep.equal([undefined, undefined]);
        expect(await leases.acquire(lease, noon)).to.equal(true);
        expect(await leases.acquire({ ...lease, holder: 'Bob' }, noon)).to.equal(false);
      });
    });

    it('of its idempotency keys are seen when it looks for stale ones', async () => {
      const lease = { process: 'payment', subject: newId(), leaseUntil: noon, fencingToken: 1 };
      const record = aRecord({ lease });
      const query = { createdBefore: noon, now: later(1), leaseMs: 1_000, limit: 100 };
      await store.unitOfWork.run(async ({ idempotencyKeys }) => {
        await idempotencyKeys.add(record);
        expect(await idempotencyKeys.findStale(query)).to.deep.include(record);
        await idempotencyKeys.save({ ...record, lease: { ...lease, leaseUntil: null } });
        const stale = await idempotencyKeys.findStale(query);
        expect(stale.map(({ userId }) => userId)).to.not.include(record.userId);
      });
    });

    it('may follow each other on one resource, each with the next version', async () => {
      const user = aUser();
      const second = User.change(user, { name: 'Grace' }, later(1));
      const third = User.change(second, { name: 'Joan' }, later(2));
      await store.unitOfWork.run(async ({ users }) => {
        await users.add(user);
        await users.save(second);
      });
      await store.unitOfWork.run(async ({ users }) => {
        await users.save(third);
        await users.save(User.change(third, { name: 'Mary' }, later(3)));
      });
      expect(await store.unitOfWork.read(({ users }) => users.find(user.id))).to.include({
        ...{ name: 'Mary', version: 4 },
      });
    });

    it('are rejected when two save one version, although both are its own', async () => {
      const user = aUser();
      await store.unitOfWork.run(({ users }) => users.add(user));
      const rejection = await rejectionOf(
        store.unitOfWork.run(async ({ users }) => {
          await users.save(User.change(user, { name: 'Grace' }, later(1)));
          await users.save(User.change(user, { name: 'Joan' }, later(2)));
        }),
      );
      expect(rejection).to.include({ kind: 'unavailable' });
      expect(await store.unitOfWork.read(({ users }) => users.find(user.id))).to.deep.equal(user);
    });

    it('happen in the order of the calls', async () => {
      const [sku = ''] = skus(1);
      const [first, second] = [aProduct({ sku }), aProduct({ sku })];
      const released = Product.change(first, { sku: null }, later(1));
      await store.unitOfWork.run(({ products }) => products.add(first));
      const tooEarly = store.unitOfWork.run(async ({ products }) => {
        await products.add(second);
        await products.save(released);
      });
      expect(await rejectionOf(tooEarly)).to.include({ kind: 'conflict' });
      await store.unitOfWork.run(async ({ products }) => {
        await products.save(released);
        await products.add(second);
        await products.remove(released.id);
        await products.add({ ...first, sku: null });
      });
      const found = await store.unitOfWork.read(({ products }) => products.findBy('sku', [sku]));
      expect(found).to.deep.equal([second]);
      expect(await store.unitOfWork.read(({ products }) => products.find(first.id))).to.deep.equal({
        ...{ ...first, sku: null },
      });
    });

    it('are complete when it makes them side by side, and reads meanwhile', async () => {
      const all = Array.from({ length: 10 }, () => aUser());
      const [there, product] = [aUser(), aProduct()];
      await store.unitOfWork.run(async ({ users, products }) => {
        await users.add(there);
        await products.add(product);
      });
      const seen = await store.unitOfWork.run(async ({ users, products }) => {
        const adding = all.map((user) => users.add(user));
        const reading = [users.find(there.id), products.lock(product.id), products.find(product.id)];
        const [, ...found] = await Promise.all([Promise.all(adding), ...reading]);
        return [...found, ...(await users.findBy('email', [all[3]?.email ?? '']))];
      });
      expect(seen).to.deep.equal([there, product, product, all[3]]);
      const emails = all.map(({ email }) => email);
      expect(await store.unitOfWork.read(({ users }) => users.findBy('email', emails))).to.deep.equal(all);
    });
  });
