import { expect } from 'chai';
import { type Collections, collectionNames } from '#application/ports/repositories.ts';
import type { Resource } from '#domain/resource.ts';
import { newId } from '../support/machine.ts';
import {
  type AnyRepository,
  addPurchases,
  neededBy,
  partOf,
  repositoryOf,
  uniqueFields,
  withField,
} from './every-collection.ts';
import { filteredBy, twoWordsOf } from './filters.ts';
import { mocha, type Suite, storeFor } from './harness.ts';
import { aPurchase } from './samples.ts';

export const ownMatches = (collection: keyof Collections): string =>
  `of ${collection} are found by each field, together with what was committed`;

/** More than match, also where rows of other tests do. */
const limit = 1_000;

/**
 * What a unit of work has added, changed or removed is found by every field as it has left it, where committed resources have the
 * same value.
 */
export const describeOwnMatches: Suite = (adapter, open, runner = mocha()) =>
  runner.describe(`${adapter}: the changes that a unit of work finds`, () => {
    const { it } = runner;
    const store = storeFor(open, runner);

    /** Seven resources and their values in a field. What they refer to is stored. */
    const prepare = async (collection: keyof Collections, field: string) => {
      const purchases = Array.from({ length: 7 }, () => aPurchase());
      await store.unitOfWork.run((all) => addPurchases(all, purchases, neededBy(collection).slice(0, -1)));
      // An order has one live payment, and any number that have failed.
      const failed = collection === 'payments' && field !== 'status' ? { status: 'failed' } : {};
      const parts = purchases.map((purchase) => ({ ...partOf(purchase, collection), ...failed }));
      const own = parts.map((part): unknown => Reflect.get(part, field) ?? newId());
      return { parts, own };
    };

    const inOrder = (all: readonly Resource[]) => all.toSorted((one, other) => (one.id < other.id ? -1 : 1));

    const next = (resource: Resource): Resource => ({ ...resource, version: resource.version + 1 });

    const tryField = async (collection: keyof Collections, field: string): Promise<void> => {
      const { parts, own } = await prepare(collection, field);
      const isUnique = uniqueFields.some((each) => each.collection === collection && each.field === field);
      const [word, anotherWord] = twoWordsOf(collection, field) ?? [own[0], own[6]];
      const given = parts.map((part, place) => withField(part, field, isUnique ? own[place] : word));
      const [added, kept, removed, leaves, joins] = given;
      if (!added || !kept || !removed || !leaves || !joins) throw new Error('There are seven.');
      const left = next(withField(leaves, field, isUnique ? own[5] : anotherWord));
      const apart = withField(joins, field, isUnique ? own[6] : anotherWord);
      const joined = next(joins);
      await store.unitOfWork.run((all) =>
        repositoryOf(all, collection).addAll([kept, removed, leaves, apart]),
      );
      await store.unitOfWork.run(async (all) => {
        const repository = repositoryOf(all, collection);
        await repository.add(added);
        await repository.save(left);
        await repository.save(joined);
        await repository.remove(removed.id);
        const values = isUnique ? own.slice(0, 5) : [word];
        const expected = inOrder([added, kept, joined]);
        await expectFound(repository, field, values, { among: given, expected }, collection);
        const moved = { among: given, expected: [left] };
        await expectFound(repository, field, [Reflect.get(left, field)], moved, collection);
      });
    };

    const expectFound = async (
      repository: AnyRepository,
      field: string,
      values: readonly unknown[],
      { among, expected }: { readonly among: readonly Resource[]; readonly expected: readonly Resource[] },
      collection: keyof Collections,
    ): Promise<void> => {
      const given = values as string[];
      const ids = new Set(among.map(({ id }) => id));
      const pages: Resource[] = [];
      for (const value of given) pages.push(...(await repository.page({ [field]: value }, { limit })).rows);
      for (const [method, found] of Object.entries({
        findBy: await repository.findBy(field as 'id', given as never),
        lockBy: await repository.lockBy(field as 'id', given as never),
        firstBy: await repository.firstBy(field, given, limit),
        page: inOrder(pages),
      })) {
        const own = found.filter(({ id }) => ids.has(id));
        expect(own, `${collection} by ${field}: ${method}`).to.deep.equal(expected);
      }
    };

    const tryIds = async (collection: keyof Collections): Promise<void> => {
      const { parts } = await prepare(collection, 'id');
      const [added, kept, removed, before] = parts;
      if (!added || !kept || !removed || !before) throw new Error('There are seven.');
      await store.unitOfWork.run((all) => repositoryOf(all, collection).addAll([kept, removed, before]));
      await store.unitOfWork.run(async (all) => {
        const repository = repositoryOf(all, collection);
        await repository.add(added);
        await repository.save(next(before));
        await repository.remove(removed.id);
        const ids = parts.map(({ id }) => id);
        for (const found of [await repository.findBy('id', ids), await repository.lockBy('id', ids)])
          expect(found, `${collection} by id`).to.deep.equal([added, kept, next(before)]);
      });
    };

    for (const collection of collectionNames)
      it(ownMatches(collection), async () => {
        await tryIds(collection);
        for (const field of Object.keys(filteredBy[collection])) await tryField(collection, field);
      });
  });
