import { expect } from 'chai';
import type { TaxRate } from '#domain/tax.ts';
import { newId } from '../support/machine.ts';
import { neededBy, partOf, repositoryOf, withField } from './every-collection.ts';
import { type TextField, textFields } from './filters.ts';
import { existing, mocha, type Suite, storeFor } from './harness.ts';
import { aProduct, aPurchase, aRecord, aUser, later, noon } from './samples.ts';

/**
 * Texts that some collation takes for one: they differ in case, accent, normal form, width, trailing space, an ignorable
 * character, and in how long a letter is.
 */
export const alike = [
  'straße',
  'Straße',
  'STRASSE',
  'strasse',
  'strase',
  'stra\u0308ße',
  'sträße',
  'ｓtraße',
  'straße ',
].concat(['straße\u200b', 'straße\u0001', 'straſſe', 'straße\u{1f511}', 'straße\u{1f513}']);

/** A text of this many code points, each of two UTF-16 units and four bytes, that ends in one of its own. */
const long = (length: number, end: string): string => '\u{1f511}'.repeat(length - 1) + end;

/** What `Collections` promises about texts: compared and returned code point by code point, up to the full length. */
export const describeTexts: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: texts`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    /** All are added, although they are alike, and each is found by itself only. */
    const expectApart = async (
      { collection, field }: TextField,
      values: readonly string[],
    ): Promise<void> => {
      const all = values.map((value) => {
        const purchase = aPurchase();
        return { value, purchase, resource: withField(partOf(purchase, collection), field, value) };
      });
      for (const { value, purchase, resource } of all)
        await store.unitOfWork
          .run(async (repositories) => {
            for (const name of neededBy(collection))
              await repositoryOf(repositories, name).add(
                name === collection ? resource : partOf(purchase, name),
              );
          })
          .catch((error: unknown) => {
            throw new Error(`${JSON.stringify(value)} is rejected: ${error}`, { cause: error });
          });
      for (const { value, resource } of all) {
        const found = await store.unitOfWork.run(async (repositories) => {
          const repository = repositoryOf(repositories, collection);
          return [
            (await repository.page({ [field]: value }, { limit: 100 })).rows,
            await repository.findBy(field as 'id', [value as never]),
            await repository.firstBy(field, [value], 100),
            await repository.lockBy(field as 'id', [value as never]),
          ];
        });
        expect(found, JSON.stringify(value)).to.deep.equal(Array.from({ length: 4 }, () => [resource]));
      }
    };

    const expectKeysApart = async (keys: readonly string[]): Promise<void> => {
      const userId = aUser().id;
      const all = keys.map((key, index) => aRecord({ userId, key, response: `${index}` }));
      await store.unitOfWork.run(async ({ idempotencyKeys }) => {
        for (const record of all) await idempotencyKeys.add(record);
      });
      const [first, ...others] = all;
      await store.unitOfWork.run(({ idempotencyKeys }) =>
        idempotencyKeys.remove(userId, existing(first).key),
      );
      for (const record of all) {
        const found = await store.unitOfWork.run(async ({ idempotencyKeys }) => [
          await idempotencyKeys.find(userId, record.key),
          await idempotencyKeys.lock(userId, record.key),
        ]);
        expect(found).to.deep.equal(others.includes(record) ? [record, record] : [undefined, undefined]);
      }
    };

    for (const each of textFields) {
      const { collection, field, longest } = each;
      it(`of ${collection}.${field} are compared code point by code point`, () => expectApart(each, alike));

      it(`of ${collection}.${field} are compared and returned up to the last character`, () => {
        const begin = [...longest].slice(0, -1).join('');
        return expectApart(each, [longest, `${begin}k`, `${begin}K`]);
      });
    }

    it('of idempotency keys are compared code point by code point', () => expectKeysApart(alike));

    it('of idempotency keys are compared up to the last of 255 characters', () =>
      expectKeysApart(['a', 'b', '\u{1f510}'].map((end) => long(255, end))));

    it('of stored responses are returned whole, up to 100,000 characters', async () => {
      const all = ['é', '\u{1f511}', '\\"\u0001'].map((unit) =>
        aRecord({ response: `${unit.repeat(99_999 / [...unit].length)}}` }),
      );
      for (const record of all) {
        await store.unitOfWork.run(({ idempotencyKeys }) =>
          idempotencyKeys.add({ ...record, response: null, lease: null }),
        );
        await store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.save(record));
        const found = await store.unitOfWork.read(({ idempotencyKeys }) =>
          idempotencyKeys.find(record.userId, record.key),
        );
        expect(found?.response === record.response, 'the whole response').to.equal(true);
      }
    });

    it('of stored responses are returned as they were stored, although they are JSON', async () => {
      const headers = { Location: '/v1/orders/1', ETag: '"2"', 'X-Empty': '' };
      const response = JSON.stringify({ status: 201, headers, body: '{ "b": 1.0,\n"a":"\\u00e9" }' });
      const all = [
        response,
        JSON.stringify(JSON.parse(response), null, 2),
        '{"b":1,"a":2,"b":1e2}',
        '[]',
        '',
      ];
      const records = all.map((each) => aRecord({ response: each }));
      await store.unitOfWork.run(async ({ idempotencyKeys }) => {
        for (const record of records) await idempotencyKeys.add(record);
      });
      const found = await store.unitOfWork.read(({ idempotencyKeys }) =>
        Promise.all(records.map(({ userId, key }) => idempotencyKeys.find(userId, key))),
      );
      expect(found).to.deep.equal(records);
    });

    it('of idempotency records are returned whole, at their longest', async () => {
      const lease = {
        process: long(100, 'a'),
        subject: newId(),
        leaseUntil: later(1),
        fencingToken: 2 ** 31 - 1,
      };
      const record = aRecord({ key: long(255, 'b'), fingerprint: long(100, 'c'), role: 'admin', lease });
      await store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.add(record));
      const found = await store.unitOfWork.read(({ idempotencyKeys }) =>
        idempotencyKeys.find(record.userId, record.key),
      );
      expect(found).to.deep.equal(record);
    });

    it('of resources are returned whole, at their longest', async () => {
      const purchase = aPurchase({ ...aProduct(), name: long(200, 'a'), description: long(5_000, 'b') });
      const review = { ...purchase.review, title: long(120, 'c'), body: long(5_000, 'd') };
      const user = { ...purchase.user, name: long(200, 'e') };
      await store.unitOfWork.run(async ({ users, products, orders, orderItems, reviews }) => {
        await users.add(user);
        await products.add(purchase.product);
        await orders.add(purchase.order);
        await orderItems.add(purchase.item);
        await reviews.add(review);
      });
      const found = await store.unitOfWork.read(async ({ users, products, orderItems, reviews }) => [
        await users.find(user.id),
        await products.find(purchase.product.id),
        await orderItems.find(purchase.item.id),
        await reviews.find(review.id),
      ]);
      expect(found).to.deep.equal([user, purchase.product, purchase.item, review]);
    });

    it('of products and orders are returned whole, with as much as an API request can give them', async () => {
      const imageUrls = Array.from({ length: 10 }, () => `https://example.com/${long(2_028, 'a')}`);
      const purchase = aPurchase({ ...aProduct(), imageUrls });
      // An order has no maximum of items, and each can have a rate of its own.
      const taxedItems = Array.from({ length: 3_000 }, (_, rate) => ({
        rate: rate as TaxRate,
        gross: Number.MAX_SAFE_INTEGER,
      }));
      const order = { ...purchase.order, note: long(1_000, 'b'), taxedItems };
      await store.unitOfWork.run(async ({ users, products, orders }) => {
        await users.add(purchase.user);
        await products.add(purchase.product);
        await orders.add(order);
      });
      const [foundProduct, foundOrder] = await store.unitOfWork.read(async ({ products, orders }) => [
        await products.find(purchase.product.id),
        await orders.find(order.id),
      ]);
      expect(foundProduct).to.deep.equal(purchase.product);
      expect(foundOrder).to.deep.equal(order);
    });

    it('of leases are compared code point by code point', async () => {
      const own = newId();
      const names = alike.map((text) => `${text} ${own}`);
      const acquire = (name: string, holder: string) =>
        store.unitOfWork.run(({ leases }) => leases.acquire({ name, holder, expiresAt: later(100) }, noon));
      for (const [index, name] of names.entries())
        expect(await acquire(name, `holder ${index}`), name).to.equal(true);
      expect(await acquire(own, 'ada')).to.equal(true);
      for (const holder of ['ada', 'ada ', 'Ada', 'ADA', 'áda', 'a\u0301da', 'ａda'])
        expect(await acquire(own, holder), holder).to.equal(holder === 'ada');
    });
  });
