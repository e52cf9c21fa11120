import { openMemory } from '#adapters/persistence/memory/open.ts';
import type { IdempotencyRecord, IdempotencyStore } from '#application/ports/idempotency.ts';
import type { Collections, Repositories } from '#application/ports/repositories.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Resource } from '#domain/resource.ts';
import { type AnyRepository, ofEveryCollection, repositoryOf } from '../every-collection.ts';
import type { Harness, Open, Suite } from '../harness.ts';

/** A wrong adapter, with the suite and the promises by whose names it must fail. */
export type WrongAdapter = readonly [
  fault: string,
  open: Open,
  suite: Suite,
  ...promises: [string, ...string[]],
];

/** The same object, with some other methods. */
export const withMethods = <T extends object>(target: T, methods: Partial<T>): T =>
  new Proxy(target, {
    get: (_, name) => {
      const method = Reflect.get(name in methods ? methods : target, name);
      return typeof method === 'function' ? method.bind(name in methods ? methods : target) : method;
    },
  });

/** A memory store whose unit of work has some other methods. */
export const wrongly = async (
  wrap: (right: StoreUnitOfWork) => Partial<StoreUnitOfWork>,
): Promise<Harness> => {
  const store = await openMemory();
  return { ...store, isSerial: true, unitOfWork: withMethods(store.unitOfWork, wrap(store.unitOfWork)) };
};

export type Wrap = (repositories: Repositories) => Partial<Omit<Repositories, 'events'>>;

/** A unit of work whose repositories are others, in work and in reads. */
export const wrapRepositories = (right: StoreUnitOfWork, wrap: Wrap): StoreUnitOfWork => ({
  run: (work, context) => right.run((all) => work({ ...all, ...wrap(all) }), context),
  read: (reading, context) => right.read((all) => reading({ ...all, ...wrap(all as Repositories) }), context),
});

/** A memory store whose repositories are others, in units of work and in reads. */
export const wrongRepositories = (wrap: Wrap): Promise<Harness> =>
  wrongly((right) => wrapRepositories(right, wrap));

/** A memory store whose repositories are others in work, and right in reads. */
export const wrongInWork = (wrap: Wrap): Promise<Harness> =>
  wrongly((right) => ({ run: wrapRepositories(right, wrap).run }));

/** Repositories that all have some other methods. */
export const everyRepository =
  (wrap: (right: AnyRepository, collection: keyof Collections) => Partial<AnyRepository>): Wrap =>
  (all) =>
    ofEveryCollection((name) => {
      const right = repositoryOf(all, name);
      return withMethods(right, wrap(right, name));
    }) as unknown as Partial<Repositories>;

/** A memory store whose collections all have some other methods. */
export const wrongCollections = (wrap: Parameters<typeof everyRepository>[0]): Promise<Harness> =>
  wrongRepositories(everyRepository(wrap));

const ways = ['add', 'addAll', 'save', 'saveAll'] as const;

/** A memory store that stores all resources as others. @param by the ways in of which it is so */
export const storing = (
  change: (resource: Resource) => Resource,
  by: readonly (typeof ways)[number][] = ways,
): Promise<Harness> =>
  wrongCollections((right) => {
    const all: Partial<AnyRepository> = {
      add: (resource) => right.add(change(resource)),
      addAll: (resources) => right.addAll(resources.map(change)),
      save: (resource) => right.save(change(resource)),
      saveAll: (resources) => right.saveAll(resources.map(change)),
    };
    return Object.fromEntries(by.map((way) => [way, all[way]]));
  });

/** A memory store whose idempotency keys have some other methods. */
export const wrongKeys = (wrap: (right: IdempotencyStore) => Partial<IdempotencyStore>): Promise<Harness> =>
  wrongRepositories(({ idempotencyKeys: right }) => ({ idempotencyKeys: withMethods(right, wrap(right)) }));

/** A memory store that stores idempotency records as others. @param by the ways in of which it is so */
export const storingRecords = (
  change: (record: IdempotencyRecord) => IdempotencyRecord,
  by: readonly ('add' | 'save')[] = ['add', 'save'],
): Promise<Harness> =>
  wrongKeys((right) =>
    Object.fromEntries(by.map((way) => [way, (record: IdempotencyRecord) => right[way](change(record))])),
  );

/** Changes every value in a resource or record, however deep. */
export const everyValue = (change: (value: unknown) => unknown) => {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(changed);
    if (typeof value !== 'object' || value === null) return change(value);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, changed(each)]));
  };
  return <T>(of: T): T => changed(of) as T;
};

export const everyText = (change: (text: string) => string) =>
  everyValue((value) => (typeof value === 'string' ? change(value) : value));
