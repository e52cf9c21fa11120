import {
  type Collections,
  type Constraints,
  collectionNames,
  constraints,
  type Repositories,
} from '#application/ports/repositories.ts';
import { paymentStatuses } from '#domain/payment.ts';
import type { Resource } from '#domain/resource.ts';
import { newId } from '../support/machine.ts';
import { partOf, repositoryOf, withField } from './every-collection.ts';
import { existing } from './harness.ts';
import { aFullPurchase, aPurchase, aRecord, later, noon } from './samples.ts';

/** How many resources of each collection a sequence is about. */
export const count = 3;

/** The resources that one sequence adds, changes and removes. */
export const makeWorld = () => {
  const several = <T>(make: () => T): readonly T[] => Array.from({ length: count }, make);
  return {
    purchases: [aPurchase(), aFullPurchase(), aPurchase()],
    /** Values of unique fields. */
    values: several(() => newId() as string),
    records: several(() => aRecord()),
    lease: newId(),
  };
};

export type World = ReturnType<typeof makeWorld>;

const at = <T>(all: readonly T[], index: number): T => existing(all[index]);

/** One operation: what it does, with which collection, and with which of its resources and of what these refer to. */
export interface Choice {
  readonly name: keyof typeof operations;
  readonly collection: keyof Collections;
  readonly one: number;
  readonly other: number;
}

type Operation = (all: Repositories, world: World, choice: Omit<Choice, 'name'>) => Promise<unknown>;

const idOf = (world: World, { collection, one }: Pick<Choice, 'collection' | 'one'>) =>
  partOf(at(world.purchases, one), collection).id;

/** The fields of a collection with values of this world alone: all values, in the order of the world. */
const ownValues = (world: World, collection: keyof Collections): [field: string, values: string[]][] => {
  const { unique = [], reference }: Constraints = constraints[collection];
  const referred = reference && world.purchases.map((each) => partOf(each, reference[1]).id as string);
  return [
    ...(reference && referred ? [[reference[0], referred] as [string, string[]]] : []),
    ...unique
      .filter((field) => field !== reference?.[0])
      .map((field) => [field, [...world.values]] as [string, string[]]),
  ];
};

/** A resource with other values in its unique field and its reference. */
const varied = (resource: Resource, world: World, { collection, other }: Omit<Choice, 'name'>): Resource =>
  ownValues(world, collection).reduce(
    (changed, [field, values]) => withField(changed, field, at(values, other)),
    resource,
  );

const next = (resource: Resource, other = 0): Resource => ({
  ...{ ...resource, version: resource.version + 1, updatedAt: later(other) },
});

/** What work does with one resource and a second choice. What it returns is compared with the model. */
export const operations = {
  add: async (all, world, choice) => {
    const { collection, one } = choice;
    const repository = repositoryOf(all, collection);
    if ((await repository.find(idOf(world, choice))) === undefined)
      await repository.add(varied(partOf(at(world.purchases, one), collection), world, choice));
  },
  /** Seldom, because it is rejected when the id is taken. */
  addAnyway: async (all, world, choice) => {
    const { collection, one, other } = choice;
    if (other > 0) return;
    await repositoryOf(all, collection).add(
      varied(partOf(at(world.purchases, one), collection), world, choice),
    );
  },
  addAll: async (all, world, { collection }) => {
    const repository = repositoryOf(all, collection);
    const missing: Resource[] = [];
    for (const [one, purchase] of world.purchases.entries()) {
      const choice = { collection, one, other: one };
      if ((await repository.find(idOf(world, choice))) === undefined)
        missing.push(varied(partOf(purchase, collection), world, choice));
    }
    await repository.addAll(missing);
  },
  find: (all, world, choice) => repositoryOf(all, choice.collection).find(idOf(world, choice)),
  lock: (all, world, choice) => repositoryOf(all, choice.collection).lock(idOf(world, choice)),
  save: async (all, world, choice) => {
    const repository = repositoryOf(all, choice.collection);
    const there = await repository.find(idOf(world, choice));
    if (there) await repository.save(next(there, choice.other));
  },
  saveVaried: async (all, world, choice) => {
    const repository = repositoryOf(all, choice.collection);
    const there = await repository.lock(idOf(world, choice));
    if (there) await repository.save(next(varied(there, world, choice)));
  },
  saveAll: async (all, world, { collection, other }) => {
    const repository = repositoryOf(all, collection);
    for (const [field, values] of ownValues(world, collection)) {
      const found = await repository.lockBy(field, values);
      await repository.saveAll(found.map((each) => next(each, other)));
    }
  },
  /** Seldom, because the store tries it several times. */
  saveStale: async (all, world, { collection, one, other }) => {
    if (one + other > 0) return;
    await repositoryOf(all, collection).save({ ...partOf(at(world.purchases, one), collection), version: 9 });
  },
  remove: (all, world, choice) => repositoryOf(all, choice.collection).remove(idOf(world, choice)),
  page: async (all, world, { collection, one, other }) => {
    const after = other === 0 ? undefined : idOf(world, { collection, one: other });
    const pages: unknown[] = [];
    for (const [field, values] of ownValues(world, collection))
      pages.push(
        await repositoryOf(all, collection).page({ [field]: at(values, one) }, { limit: 1 + other, after }),
      );
    return pages;
  },
  findBy: async (all, world, { collection, one }) => {
    const found: unknown[] = [];
    for (const [field, values] of ownValues(world, collection))
      found.push(await repositoryOf(all, collection).findBy(field, values.slice(one)));
    const ids = world.purchases.map((each) => partOf(each, collection).id);
    found.push(await repositoryOf(all, collection).findBy('id', ids.slice(one)));
    return found;
  },
  firstBy: async (all, world, { collection, one, other }) => {
    const found: unknown[] = [];
    for (const [field, values] of ownValues(world, collection))
      found.push(await repositoryOf(all, collection).firstBy(field, values.slice(one), 1 + other));
    return found;
  },

  settlePayment: async ({ payments }, world, { one, other }) => {
    const payment = await payments.lock(at(world.purchases, one).payment.id);
    const status = at(paymentStatuses, other);
    if (payment) await payments.save({ ...payment, status, version: payment.version + 1 });
  },

  addKey: async ({ idempotencyKeys }, world, { one, other }) => {
    const record = at(world.records, one);
    if (other === 0 || (await idempotencyKeys.find(record.userId, record.key)) === undefined)
      await idempotencyKeys.add(record);
  },
  saveKey: async ({ idempotencyKeys }, world, { one, other }) => {
    const record = await idempotencyKeys.lock(at(world.records, one).userId, at(world.records, one).key);
    if (record) await idempotencyKeys.save({ ...record, response: `${other}` });
  },
  removeKey: ({ idempotencyKeys }, world, { one }) =>
    idempotencyKeys.remove(at(world.records, one).userId, at(world.records, one).key),
  lockKey: ({ idempotencyKeys }, world, { one }) =>
    idempotencyKeys.lock(at(world.records, one).userId, at(world.records, one).key),
  acquireLease: ({ leases }, world, { one, other }) =>
    leases.acquire({ name: world.lease, holder: `${one}`, expiresAt: later(other) }, noon),
} satisfies Readonly<Record<string, Operation>>;

/** Every resource and key of the world, as it is found one by one. */
export const stateOf = async (
  world: World,
  find: (collection: keyof Collections, id: Resource['id']) => Promise<unknown>,
  findRecord: (record: World['records'][number]) => Promise<unknown>,
): Promise<readonly unknown[]> => {
  const state: unknown[] = [];
  for (const purchase of world.purchases)
    for (const collection of collectionNames)
      state.push(await find(collection, partOf(purchase, collection).id));
  for (const record of world.records) state.push(await findRecord(record));
  return state;
};
