import { expect } from 'chai';
import { ConstraintViolation } from '#application/errors.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import type { Work } from '#application/ports/unit-of-work.ts';
import { Product } from '#domain/product.ts';
import { newId } from '../support/machine.ts';
import { mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import {
  addPurchase,
  anApiKey,
  aProduct,
  aPurchase,
  aRecord,
  aUser,
  later,
  type Purchase,
} from './samples.ts';

/** What `Collections` promises about references between resources, and about the payments of an order. */
export const describeConstraints: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: the constraints`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    const purchased = async (): Promise<Purchase> => {
      const purchase = aPurchase();
      await store.unitOfWork.run((repositories) => addPurchase(repositories, purchase));
      return purchase;
    };

    /** The work is rejected as a lasting violation, leaves nothing behind, and is not retried as a race. */
    const expectViolation = async (what: string, work: Work<unknown>): Promise<void> => {
      const other = aProduct();
      let runs = 0;
      const rejection = await rejectionOf(
        store.unitOfWork.run(async (repositories) => {
          runs += 1;
          await repositories.products.add(other);
          await work(repositories);
        }),
      );
      expect(rejection, what).to.be.instanceOf(ConstraintViolation);
      // A unit of work that left a shared transaction first runs in one of its own.
      expect(runs, what).to.be.within(1, 3);
      expect(await store.unitOfWork.read(({ products }) => products.find(other.id)), what).to.equal(
        undefined,
      );
    };

    /** What refers to something that does not exist, by the field that refers to it. */
    const dangling: Readonly<Record<string, (to: Repositories, purchase: Purchase) => Promise<unknown>>> = {
      'orders.userId': ({ orders }, { order }) => orders.add({ ...order, id: newId(), userId: newId() }),
      'orderItems.orderId': ({ orderItems }, { item }) =>
        orderItems.add({ ...item, id: newId(), orderId: newId() }),
      'reviews.itemId': ({ reviews }, { review }) => reviews.add({ ...review, id: newId(), itemId: newId() }),
      'payments.orderId': ({ payments }, { payment }) =>
        payments.add({ ...payment, id: newId(), orderId: newId() }),
      'refunds.paymentId': ({ refunds }, { refund }) =>
        refunds.add({ ...refund, id: newId(), paymentId: newId() }),
      'apiKeys.userId': ({ apiKeys }) => apiKeys.add(anApiKey(aUser())),
    };
    for (const [field, add] of Object.entries(dangling)) {
      it(`let nothing refer by ${field} to what does not exist`, async () => {
        const purchase = await purchased();
        await expectViolation(field, (repositories) => add(repositories, purchase));
      });
    }

    it('let nothing refer to what does not exist when it is added in bulk or changed', async () => {
      const { order, apiKey } = await purchased();
      await expectViolation('in bulk', ({ orders }) =>
        orders.addAll([{ ...order, id: newId(), userId: newId() }]),
      );
      const moved = { ...apiKey, userId: newId<typeof apiKey.userId>(), version: apiKey.version + 1 };
      await expectViolation('changed', ({ apiKeys }) => apiKeys.save(moved));
      await expectViolation('changed in bulk', ({ apiKeys }) => apiKeys.saveAll([moved]));
    });

    it('hold after each change: what is referred to is added first and removed last', async () => {
      const { user, order } = aPurchase();
      await expectViolation('added last', async ({ users, orders }) => {
        await orders.add(order);
        await users.add(user);
      });
      await store.unitOfWork.run(async ({ users, orders }) => {
        await users.add(user);
        await orders.add(order);
        await orders.remove(order.id);
        await users.remove(user.id);
        await users.add(user);
        await orders.add(order);
      });
      await expectViolation('removed first', async ({ users, orders }) => {
        await users.remove(user.id);
        await orders.remove(order.id);
      });
      await store.unitOfWork.run(async ({ users, orders }) => {
        await orders.remove(order.id);
        await users.remove(user.id);
      });
      expect(await store.unitOfWork.read(({ users }) => users.find(user.id))).to.equal(undefined);
    });

    it('let nothing be removed that others refer to', async () => {
      const { user, order, item, payment, refund, review } = await purchased();
      await expectViolation('a user with orders', ({ users }) => users.remove(user.id));
      await expectViolation('a user with an order of its own', async ({ users, orders }) => {
        const [newcomer, own] = [aUser(), { ...order, id: newId<typeof order.id>() }];
        await users.add(newcomer);
        await orders.add({ ...own, userId: newcomer.id });
        await users.remove(newcomer.id);
      });
      const bare = { ...order, id: newId<typeof order.id>() };
      await store.unitOfWork.run(async ({ orders, orderItems }) => {
        await orders.add(bare);
        await orderItems.add({ ...item, id: newId(), orderId: bare.id });
      });
      await expectViolation('an order with an item', ({ orders }) => orders.remove(bare.id));
      await expectViolation('an item with a review', ({ orderItems }) => orderItems.remove(item.id));
      await expectViolation('a payment with a refund', ({ payments }) => payments.remove(payment.id));
      const owner = aUser();
      const key = anApiKey(owner);
      await store.unitOfWork.run(async ({ users, apiKeys, refunds, reviews, orderItems }) => {
        await users.add(owner);
        await apiKeys.add(key);
        await refunds.remove(refund.id);
        await reviews.remove(review.id);
        await orderItems.remove(item.id);
      });
      await expectViolation('a user with API keys', ({ users }) => users.remove(owner.id));
      await expectViolation('an order with a payment', ({ orders }) => orders.remove(order.id));
      await store.unitOfWork.run(({ payments }) => payments.remove(payment.id));
    });

    it('let an order have one live payment, and any number that have failed', async () => {
      const { order, payment, refund } = await purchased();
      const second = { ...payment, id: newId<typeof payment.id>() };
      const failed = { ...second, status: 'failed' as const };
      for (const status of ['pending', 'succeeded'] as const) {
        await expectViolation(status, ({ payments }) => payments.add({ ...second, status }));
      }
      await store.unitOfWork.run(({ payments }) =>
        payments.addAll([failed, { ...failed, id: newId<typeof payment.id>() }]),
      );
      await expectViolation('live again', ({ payments }) =>
        payments.save({ ...second, status: 'pending', version: second.version + 1 }),
      );
      const all = await store.unitOfWork.read(({ payments }) => payments.findBy('orderId', [order.id]));
      expect(all.map(({ status }) => status)).to.have.members(['succeeded', 'failed', 'failed']);
      await store.unitOfWork.run(async ({ payments, refunds }) => {
        await payments.save({ ...payment, status: 'failed', version: payment.version + 1 });
        await payments.save({ ...second, status: 'succeeded', version: second.version + 1 });
        expect(await refunds.find(refund.id)).to.deep.equal(refund);
      });
    });

    it('let of two live payments that are begun at once only one be, and the other work sees it', async () => {
      const { user, order, payment } = aPurchase();
      await store.unitOfWork.run(async ({ users, orders }) => {
        await users.add(user);
        await orders.add(order);
      });
      const begin = () =>
        store.unitOfWork.run(async ({ payments }) => {
          const [live] = await payments.findBy('orderId', [order.id]);
          if (live !== undefined) return 'seen';
          await payments.add({ ...payment, id: newId() });
          return 'begun';
        });
      expect(await Promise.all([begin(), begin()])).to.have.members(['begun', 'seen']);
    });

    it('let work that loses a race with a removal see that removal', async () => {
      const { user, order } = aPurchase();
      await store.unitOfWork.run(({ users }) => users.add(user));
      const ordering = store.unitOfWork.run(async ({ users, orders }) => {
        if ((await users.find(user.id)) === undefined) return 'removed';
        await orders.add(order);
        return 'ordered';
      });
      const removing = store.unitOfWork.run(async ({ users, orders }) => {
        const { rows } = await orders.page({ userId: user.id }, { limit: 1 });
        if (rows.length > 0) return 'ordered';
        await users.remove(user.id);
        return 'removed';
      });
      const outcomes = await Promise.all([ordering, removing]);
      expect(new Set(outcomes).size, outcomes.join()).to.equal(1);
    });

    it('let no id be taken twice, also within one unit of work', async () => {
      const product = aProduct();
      await store.unitOfWork.run(({ products }) => products.add(product));
      await expectViolation('taken before', ({ products }) => products.add({ ...product, name: 'Mate' }));
      const twice = aProduct();
      await expectViolation('taken twice', async ({ products }) => {
        await products.add(twice);
        await products.add(twice);
      });
      await store.unitOfWork.run(({ products }) =>
        products.save(Product.change(product, { name: 'Green tea' }, later(1))),
      );
      expect(await store.unitOfWork.read(({ products }) => products.find(twice.id))).to.equal(undefined);
    });

    it('let no idempotency key be added twice, and none be saved that does not exist', async () => {
      const record = aRecord({ response: 'first' });
      const find = () =>
        store.unitOfWork.read(({ idempotencyKeys }) => idempotencyKeys.find(record.userId, record.key));
      const saving = store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.save(record));
      expect(await rejectionOf(saving)).to.include({ kind: 'unavailable' });
      expect(await find()).to.equal(undefined);
      await expectViolation('twice in one unit of work', async ({ idempotencyKeys }) => {
        await idempotencyKeys.add(record);
        await idempotencyKeys.add({ ...record, response: 'second' });
      });
      expect(await find()).to.equal(undefined);
      await store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.add(record));
      await expectViolation('again', ({ idempotencyKeys }) =>
        idempotencyKeys.add({ ...record, response: 'second' }),
      );
      expect(await find()).to.deep.equal(record);
    });
  });
