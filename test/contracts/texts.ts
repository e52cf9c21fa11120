import { expect } from 'chai';
import type { IdempotencyRecord } from '#application/ports/idempotency.ts';
import type { Collections } from '#application/ports/repositories.ts';
import type { Resource } from '#domain/resource.ts';
import type { TaxRate } from '#domain/tax.ts';
import { newId } from '../support/machine.ts';
import {
  addPurchases,
  neededBy,
  partOf,
  readerOf,
  repositoryOf,
  waysToWrite,
  withField,
  writeBy,
  writePurchaseBy,
} from './every-collection.ts';
import { type TextField, textFields } from './filters.ts';
import { existing, mocha, type Suite, storeFor } from './harness.ts';
import { aKeyResource, aProduct, aPurchase, aRecord, aUser, later, noon, type Purchase } from './samples.ts';

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

const waysToWriteRecords = ['add', 'save'] as const;

/** What `Collections` promises about texts: compared and returned code point by code point, up to the full length. */
export const describeTexts: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: texts`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    /** All are written, one by each way after the other, although they are alike, and each is found by itself only. */
    const expectApart = async (
      { collection, field }: TextField,
      values: readonly string[],
    ): Promise<void> => {
      const all: { readonly value: string; readonly resource: Resource }[] = [];
      for (const [index, value] of values.entries()) {
        const purchase = aPurchase();
        const before = partOf(purchase, collection);
        const way = waysToWrite[index % waysToWrite.length] ?? 'add';
        await store.unitOfWork.run((repositories) =>
          addPurchases(repositories, [purchase], neededBy(collection).slice(0, -1)),
        );
        const given = withField(before, field, value);
        const resource = await writeBy(store.unitOfWork, way, collection, given, before).catch(
          (error: unknown) => {
            throw new Error(`${JSON.stringify(value)} is rejected: ${error}`, { cause: error });
          },
        );
        all.push({ value, resource });
      }
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

    /** Adds a record, or saves it over one with short texts. */
    const write = async (way: 'add' | 'save', record: IdempotencyRecord): Promise<void> => {
      const { userId, key, createdAt, resource } = record;
      const short = resource && { ...resource, path: '/', requestId: 'r' };
      const added = way === 'add' ? record : aRecord({ userId, key, createdAt, resource: short });
      await store.unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.add(added));
      if (way === 'add') return;
      await store.unitOfWork.run(async ({ idempotencyKeys }) => {
        await idempotencyKeys.lock(userId, key);
        await idempotencyKeys.save(record);
      });
    };
    const findRecord = ({ userId, key }: IdempotencyRecord) =>
      store.unitOfWork.read(({ idempotencyKeys }) => idempotencyKeys.find(userId, key));

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
        return expectApart(each, [longest, `${begin}k`, `${begin}K`, `${begin}1`]);
      });
    }

    it('of idempotency keys are compared code point by code point', () => expectKeysApart(alike));

    it('of idempotency keys are compared up to the last of 255 characters', () =>
      expectKeysApart(['a', 'b', '\u{1f510}'].map((end) => long(255, end))));

    it('of stored responses are returned whole, up to 100,000 characters', async () => {
      const all = ['é', '\u{1f511}', '\\"\u0001'].map((unit) =>
        aRecord({ response: `${unit.repeat(99_999 / [...unit].length)}}` }),
      );
      for (const way of waysToWriteRecords)
        for (const { userId, ...given } of all) {
          const record = { ...given, userId, key: way };
          await write(way, record);
          const found = await findRecord(record);
          expect(found?.response === record.response, `the whole response, by ${way}`).to.equal(true);
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
      for (const way of waysToWriteRecords) {
        const records = all.map((each) => aRecord({ response: each }));
        for (const record of records) await write(way, record);
        expect(await Promise.all(records.map(findRecord)), `by ${way}`).to.deep.equal(records);
      }
    });

    it('of idempotency records are returned whole, at their longest', async () => {
      const lease = {
        process: long(100, 'a'),
        subject: newId(),
        leaseUntil: later(1),
        fencingToken: 2 ** 31 - 1,
      };
      for (const way of waysToWriteRecords) {
        const resource = { ...aKeyResource(noon), path: long(1_000, 'd'), requestId: long(200, 'e') };
        const texts = { key: long(255, 'b'), fingerprint: long(100, 'c') };
        const record = aRecord({ ...texts, role: 'admin', lease, resource });
        await write(way, record);
        expect(await findRecord(record), `by ${way}`).to.deep.equal(record);
      }
    });

    /** Resources of a purchase are the same when they are read as when they were written, whichever way. */
    const expectWhole = async (
      make: () => Purchase,
      names: readonly (keyof Collections)[],
    ): Promise<void> => {
      for (const way of waysToWrite) {
        const written = await writePurchaseBy(store.unitOfWork, way, make(), aPurchase());
        for (const name of names) {
          const resource = existing(written[name]);
          const found = await store.unitOfWork.read((all) => readerOf(all, name).find(resource.id));
          expect(found, `${name} by ${way}`).to.deep.equal(resource);
        }
      }
    };

    it('of resources are returned whole, at their longest', () =>
      expectWhole(() => {
        const purchase = aPurchase({ ...aProduct(), name: long(200, 'a'), description: long(5_000, 'b') });
        const review = { ...purchase.review, title: long(120, 'c'), body: long(5_000, 'd') };
        return { ...purchase, review, user: { ...purchase.user, name: long(200, 'e') } };
      }, ['users', 'products', 'orderItems', 'reviews']));

    it('of products and orders are returned whole, with as much as an API request can give them', () => {
      const imageUrls = Array.from({ length: 10 }, () => `https://example.com/${long(2_028, 'a')}`);
      // An order has no maximum of items, and each can have a rate of its own.
      const taxedItems = Array.from({ length: 3_000 }, (_, rate) => ({
        rate: rate as TaxRate,
        gross: Number.MAX_SAFE_INTEGER,
      }));
      return expectWhole(() => {
        const purchase = aPurchase({ ...aProduct(), imageUrls });
        return { ...purchase, order: { ...purchase.order, note: long(1_000, 'b'), taxedItems } };
      }, ['products', 'orders']);
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
