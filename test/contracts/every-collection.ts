import {
  type Collections,
  type Constraints,
  collectionNames,
  constraints,
  type Reader,
  type ReadRepositories,
  type Repositories,
  type Repository,
} from '#application/ports/repositories.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Resource } from '#domain/resource.ts';
import { newId } from '../support/machine.ts';
import type { RawReader } from './harness.ts';
import { type Purchase, sampleOf } from './samples.ts';

/* TypeScript cannot relate the name of a collection to the type of its resources, so loops over all of them use these types. */
type AnyFilter = Readonly<Record<string, string>>;
export type AnyRepository = Repository<Resource, AnyFilter>;
type AnyReader = Reader<Resource, AnyFilter>;

export const repositoryOf = (all: Repositories, collection: keyof Collections): AnyRepository =>
  all[collection] as unknown as AnyRepository;

export const readerOf = (all: ReadRepositories, collection: keyof Collections): AnyReader =>
  all[collection] as unknown as AnyReader;

/** Something for each collection, by its name. */
export const ofEveryCollection = <T>(make: (collection: keyof Collections) => T): Record<string, T> =>
  Object.fromEntries(collectionNames.map((name) => [name, make(name)]));

/** The resource of a collection in a purchase. */
export const partOf = (purchase: Purchase, collection: keyof Collections): Resource =>
  sampleOf[collection](purchase);

/** The resources of a purchase, by collection. */
export const partsOf = (purchase: Purchase): Record<string, Resource> =>
  ofEveryCollection((name) => partOf(purchase, name));

/** Adds what is referred to before what refers to it, in the order of the list. */
export const addPurchase = async (to: Repositories, purchase: Purchase): Promise<void> => {
  for (const name of collectionNames) await repositoryOf(to, name).add(partOf(purchase, name));
};

/** Adds purchases in bulk. @param names of which collections, in their order */
export const addPurchases = async (
  to: Repositories,
  purchases: readonly Purchase[],
  names: readonly (keyof Collections)[] = collectionNames,
): Promise<void> => {
  for (const name of names)
    await repositoryOf(to, name).addAll(purchases.map((purchase) => partOf(purchase, name)));
};

export const waysToWrite = ['add', 'addAll', 'save', 'saveAll'] as const;
export type WayToWrite = (typeof waysToWrite)[number];

/**
 * Writes a resource in one of the ways, each in a unit of work of its own.
 * @param before what the resource is until it is saved
 * @returns the resource as it is stored then
 */
export const writeBy = async (
  unitOfWork: Pick<StoreUnitOfWork, 'run'>,
  way: WayToWrite,
  collection: keyof Collections,
  resource: Resource,
  before: Resource,
): Promise<Resource> => {
  const isAdded = way === 'add' || way === 'addAll';
  if (!isAdded)
    await unitOfWork.run((all) => repositoryOf(all, collection).add({ ...before, id: resource.id }));
  const written = isAdded ? resource : { ...resource, version: before.version + 1 };
  await unitOfWork.run((all) => {
    const repository = repositoryOf(all, collection);
    return way === 'add' || way === 'save' ? repository[way](written) : repository[way]([written]);
  });
  return written;
};

/**
 * Writes all resources of a purchase in one of the ways.
 * @param before what they are until they are saved
 * @returns them as they are stored then, by collection
 */
export const writePurchaseBy = async (
  unitOfWork: Pick<StoreUnitOfWork, 'run'>,
  way: WayToWrite,
  purchase: Purchase,
  before: Purchase,
): Promise<Record<string, Resource>> => {
  const written: Record<string, Resource> = {};
  for (const name of collectionNames) {
    const resource = partOf(purchase, name);
    const field = constraints[name].reference?.[0];
    const other = partOf(before, name);
    const referring = field === undefined ? other : withField(other, field, Reflect.get(resource, field));
    written[name] = await writeBy(unitOfWork, way, name, resource, referring);
  }
  return written;
};

/** What is stored of a purchase, by collection. */
export const findPurchase = async (
  all: ReadRepositories,
  purchase: Purchase,
): Promise<Record<string, Resource | undefined>> => {
  const found: Record<string, Resource | undefined> = {};
  for (const name of collectionNames) found[name] = await readerOf(all, name).find(partOf(purchase, name).id);
  return found;
};

/** What the database itself has of a purchase, by collection. */
export const findRawPurchase = async (
  raw: RawReader,
  purchase: Purchase,
): Promise<Record<string, Resource | undefined>> => {
  const found: Record<string, Resource | undefined> = {};
  for (const name of collectionNames) found[name] = await raw.find(name, partOf(purchase, name).id);
  return found;
};

/** What is found of a purchase of which nothing is stored. */
export const nothingOf: Readonly<Record<string, undefined>> = ofEveryCollection(() => undefined);

/** A reference from a field of one collection to another collection. */
export interface Reference {
  readonly from: keyof Collections;
  readonly field: string;
  readonly to: keyof Collections;
}

export const references: readonly Reference[] = collectionNames.flatMap((from) => {
  const { reference } = constraints[from];
  return reference === undefined ? [] : [{ from, field: reference[0], to: reference[1] }];
});

/** The fields whose values are unique within their collection. */
export const uniqueFields: readonly { readonly collection: keyof Collections; readonly field: string }[] =
  collectionNames.flatMap((collection) => {
    const { unique = [] }: Constraints = constraints[collection];
    return unique.map((field) => ({ collection, field }));
  });

/** The collections that a resource needs: its own, behind those that it refers to. */
export const neededBy = (collection: keyof Collections): readonly (keyof Collections)[] => {
  const { reference } = constraints[collection];
  return reference === undefined ? [collection] : [...neededBy(reference[1]), collection];
};

/** A resource with another value in one of its fields. */
export const withField = (resource: Resource, field: string, value: unknown): Resource => ({
  ...resource,
  [field]: value,
});

/** The next version of a resource, which refers to nothing that exists. */
export const danglingVersion = (resource: Resource, field: string): Resource => ({
  ...withField(resource, field, newId()),
  version: resource.version + 1,
});
