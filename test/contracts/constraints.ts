import { expect } from 'chai';
import { conflictIn } from '#application/conflicts.ts';
import { ConstraintViolation } from '#application/errors.ts';
import type { Collections } from '#application/ports/repositories.ts';
import type { Work } from '#application/ports/unit-of-work.ts';
import { DomainError } from '#domain/errors.ts';
import { paymentStatuses } from '#domain/payment.ts';
import { Product } from '#domain/product.ts';
import type { Resource } from '#domain/resource.ts';
import { newId } from '../support/machine.ts';
import {
  addPurchase,
  danglingVersion,
  neededBy,
  partOf,
  readerOf,
  references,
  repositoryOf,
  uniqueFields,
  withField,
} from './every-collection.ts';
import { existing, mocha, rejectionOf, type Suite, storeFor } from './harness.ts';
import { aFullPurchase, aProduct, aPurchase, aRecord, later, type Purchase } from './samples.ts';

/** The statuses of payments of which an order has at most one. */
const liveStatuses = paymentStatuses.filter((status) => status !== 'failed' && status !== 'canceled');

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

    const itemWithoutReview = async () => {
      const { item, review } = await purchased();
      await store.unitOfWork.run(({ reviews }) => reviews.remove(review.id));
      return item.id;
    };

    const expectConflict = async (
      [collection, field]: readonly [keyof Collections, string],
      work: Work<unknown>,
    ): Promise<void> => {
      const rejection = await rejectionOf(store.unitOfWork.run(work));
      expect(rejection).to.be.instanceOf(DomainError).with.property('kind', 'conflict');
      expect(rejection).to.have.deep.property('fieldErrors', conflictIn(collection, field).fieldErrors);
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

    for (const { from, field, to } of references) {
      it(`let nothing refer by ${from}.${field} to what does not exist`, async () => {
        const dangling = partOf(aFullPurchase(), from);
        await expectViolation('added', (all) => repositoryOf(all, from).add(dangling));
        await expectViolation('added in bulk', (all) => repositoryOf(all, from).addAll([dangling]));
        const moved = danglingVersion(partOf(await purchased(), from), field);
        await expectViolation('changed', (all) => repositoryOf(all, from).save(moved));
        await expectViolation('changed in bulk', (all) => repositoryOf(all, from).saveAll([moved]));
      });

      it(`let nothing be removed that ${from} refer to by ${field}`, async () => {
        const purchase = aFullPurchase();
        const needed = neededBy(from);
        await store.unitOfWork.run(async (all) => {
          for (const name of needed) await repositoryOf(all, name).add(partOf(purchase, name));
        });
        const { id } = partOf(purchase, to);
        await expectViolation('committed', (all) => repositoryOf(all, to).remove(id));
        await store.unitOfWork.run(async (all) => {
          for (const name of needed.toReversed())
            await repositoryOf(all, name).remove(partOf(purchase, name).id);
        });
        const left = await store.unitOfWork.read((all) => readerOf(all, to).find(id));
        expect(left).to.equal(undefined);
        await expectViolation('pending', async (all) => {
          for (const name of needed) await repositoryOf(all, name).add(partOf(purchase, name));
          await repositoryOf(all, to).remove(id);
        });
      });
    }

    for (const { collection, field } of uniqueFields) {
      it(`let no two ${collection} have the same ${field}, added or changed, alone or in bulk`, async () => {
        const [first, second] = [await purchased(), await purchased()].map((each) =>
          partOf(each, collection),
        );
        const { [field]: given } = { ...existing(first) } as Readonly<Record<string, unknown>>;
        const value = given ?? newId();
        const next = (resource: Resource) => ({
          ...{ ...withField(resource, field, value), version: resource.version + 1 },
        });
        await store.unitOfWork.run((all) => repositoryOf(all, collection).save(next(existing(first))));
        const others = uniqueFields.filter((each) => each.collection === collection && each.field !== field);
        const unreferred = await itemWithoutReview();
        const fresh = others.reduce(
          (twin, other) => withField(twin, other.field, other.field === 'itemId' ? unreferred : newId()),
          existing(second),
        );
        const twin = withField({ ...fresh, id: newId(), version: 1 }, field, value);
        const taken = [collection, field] as const;
        await expectConflict(taken, (all) => repositoryOf(all, collection).add(twin));
        await expectConflict(taken, (all) => repositoryOf(all, collection).addAll([twin]));
        await expectConflict(taken, (all) => repositoryOf(all, collection).save(next(existing(second))));
        await expectConflict(taken, (all) => repositoryOf(all, collection).saveAll([next(existing(second))]));
      });
    }

    for (const { collection, field } of uniqueFields) {
      /** Adds what a resource needs. @returns it, and its value in the field, which no other has */
      const begun = async () => {
        const purchase = aPurchase();
        await store.unitOfWork.run(async (all) => {
          for (const name of neededBy(collection).slice(0, -1))
            await repositoryOf(all, name).add(partOf(purchase, name));
        });
        const resource = partOf(purchase, collection);
        const own: unknown = Reflect.get(resource, field);
        return { resource, value: own ?? newId(), mayHaveNone: own === null };
      };

      it(`let one of two ${collection} that are added at once have the same ${field}`, async () => {
        const [one, other] = [await begun(), await begun()];
        const adding = [one, other].map(({ resource }) =>
          store.unitOfWork.run((all) =>
            repositoryOf(all, collection).add(withField(resource, field, one.value)),
          ),
        );
        const results = await Promise.allSettled(adding);
        expect(results.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
        await expectConflict([collection, field], () => Promise.all(adding));
      });

      it(`let no two ${collection} that one unit of work adds have the same ${field}`, async () => {
        const [one, other] = [await begun(), await begun()];
        const both = [one, other].map(({ resource }) => withField(resource, field, one.value));
        const [first, second] = both.map(existing);
        if (!first || !second) throw new Error('There are two.');
        const taken = [collection, field] as const;
        await expectConflict(taken, async (all) => {
          await repositoryOf(all, collection).add(first);
          await repositoryOf(all, collection).add(second);
        });
        await expectConflict(taken, (all) => repositoryOf(all, collection).addAll(both));
        const apart = withField(second, field, other.value);
        await expectConflict(taken, async (all) => {
          await repositoryOf(all, collection).addAll([first, apart]);
          await repositoryOf(all, collection).save({ ...second, version: second.version + 1 });
        });
      });

      it(`let a ${field} of ${collection} be used again once it is free, and several have none`, async () => {
        const [one, two, three] = [await begun(), await begun(), await begun()];
        const first = withField(one.resource, field, one.value);
        const changed = { ...withField(first, field, two.value), version: first.version + 1 };
        const second = withField(three.resource, field, one.value);
        const again = withField({ ...second, id: newId() }, field, one.value);
        await store.unitOfWork.run((all) => repositoryOf(all, collection).add(first));
        await store.unitOfWork.run(async (all) => {
          await repositoryOf(all, collection).save(changed);
          await repositoryOf(all, collection).add(second);
        });
        await store.unitOfWork.run((all) => repositoryOf(all, collection).remove(second.id));
        await store.unitOfWork.run((all) => repositoryOf(all, collection).add(again));
        const find = (ids: readonly Resource['id'][]) =>
          store.unitOfWork.read((all) => readerOf(all, collection).findBy('id', ids));
        expect(await find([first.id, second.id, again.id])).to.deep.equal([changed, again]);
        if (!one.mayHaveNone) return;
        const none = [await begun(), await begun()].map(({ resource }) => resource);
        for (const each of none) await store.unitOfWork.run((all) => repositoryOf(all, collection).add(each));
        expect(await find(none.map(({ id }) => id))).to.deep.equal(none);
      });
    }

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

    it('let an order have one live payment, and any number that have failed', async () => {
      const { order, payment, refund } = await purchased();
      const second = { ...payment, id: newId<typeof payment.id>() };
      const failed = { ...second, status: 'failed' as const };
      const canceled = { ...second, id: newId<typeof payment.id>(), status: 'canceled' as const };
      for (const status of liveStatuses)
        await expectViolation(status, ({ payments }) => payments.add({ ...second, status }));
      await store.unitOfWork.run(({ payments }) =>
        payments.addAll([failed, { ...failed, id: newId<typeof payment.id>() }, canceled]),
      );
      const version = second.version + 1;
      for (const status of liveStatuses) {
        const again = { ...second, status, version };
        await expectViolation(`${status} again`, ({ payments }) => payments.save(again));
        await expectViolation(`${status} again, in bulk`, ({ payments }) => payments.saveAll([again]));
      }
      const all = await store.unitOfWork.read(({ payments }) => payments.findBy('orderId', [order.id]));
      expect(all.map(({ status }) => status)).to.have.members(['succeeded', 'failed', 'failed', 'canceled']);
      await store.unitOfWork.run(async ({ payments, refunds }) => {
        await payments.save({ ...payment, status: 'failed', version: payment.version + 1 });
        await payments.save({ ...second, status: 'succeeded', version: second.version + 1 });
        expect(await refunds.find(refund.id)).to.deep.equal(refund);
      });
      for (const [index, status] of liveStatuses.entries()) {
        const first = { ...second, status, version: version + 1 + index };
        const other = { ...payment, id: newId<typeof payment.id>() };
        await store.unitOfWork.run(({ payments }) => payments.save(first));
        await expectViolation(`beside ${status}`, ({ payments }) =>
          payments.addAll([{ ...other, status: 'pending' }]),
        );
      }
    });

    it('let an order have one live payment of those that one unit of work writes, beside what has failed', async () => {
      const { order, payment } = await purchased();
      const failed = { ...payment, status: 'failed' as const, version: payment.version + 1 };
      await store.unitOfWork.run(({ payments }) => payments.save(failed));
      const [one, two] = [1, 2].map(() => ({ ...payment, id: newId<typeof payment.id>() })).map(existing);
      if (!one || !two) throw new Error('There are two.');
      const again = { ...failed, status: 'pending' as const, version: failed.version + 1 };
      const both: Readonly<Record<string, Work<unknown>>> = {
        'one after the other': async ({ payments }) => {
          await payments.add(one);
          await payments.add(two);
        },
        'in bulk': ({ payments }) => payments.addAll([one, two]),
        'one live again': async ({ payments }) => {
          await payments.add(one);
          await payments.save(again);
        },
        'one beside it': async ({ payments }) => {
          await payments.save(again);
          await payments.add(one);
        },
      };
      for (const [what, work] of Object.entries(both)) await expectViolation(what, work);
      await store.unitOfWork.run(async ({ payments }) => {
        await payments.add(one);
        await payments.save({ ...one, status: 'canceled', version: one.version + 1 });
        await payments.add(two);
      });
      const all = await store.unitOfWork.read(({ payments }) => payments.findBy('orderId', [order.id]));
      expect(all.map(({ status }) => status)).to.have.members(['failed', 'canceled', 'succeeded']);
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

    it('let no idempotency key be added twice, however old it is', async () => {
      const record = aRecord({ response: 'first' });
      await store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.add(record));
      for (const days of [1, 2, 400]) {
        const createdAt = later(days * 86_400_000);
        const second = { ...aRecord({ createdAt, response: 'second' }), userId: record.userId };
        await expectViolation(`${days} days later`, ({ idempotencyKeys }) => idempotencyKeys.add(second));
      }
      const found = await store.unitOfWork.read(({ idempotencyKeys }) =>
        idempotencyKeys.find(record.userId, record.key),
      );
      expect(found).to.deep.equal(record);
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
