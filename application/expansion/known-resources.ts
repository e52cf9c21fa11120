import type { Id, Resource } from '#domain/resource.ts';
import {
  type Collections,
  collectionNames,
  type Reader,
  type ReadRepositories,
} from '../ports/repositories.ts';

type AnyReader<T extends Resource> = Reader<T, Readonly<Record<string, Id>>>;

/** The reader of a collection whose name is known at run time only, so TypeScript cannot infer which reader it is. */
export const readerOf = <T extends Resource>(
  repositories: ReadRepositories,
  collection: keyof Collections,
): AnyReader<T> => repositories[collection] as unknown as AnyReader<T>;

/** The same repositories, in which some resources are found without another query. */
export const withKnownResources = (
  repositories: ReadRepositories,
  known: { readonly [C in keyof Collections]?: readonly Resource[] },
): ReadRepositories => {
  const readers = collectionNames.map((name) => {
    const reader = readerOf(repositories, name);
    return [name, known[name] === undefined ? reader : knowing(reader, known[name])] as const;
  });
  // Each reader stands under the name of its own collection, which the type of entries does not have.
  return {
    ...(Object.fromEntries(readers) as unknown as ReadRepositories),
    idempotencyKeys: repositories.idempotencyKeys,
  };
};

const knowing = (reader: AnyReader<Resource>, known: readonly Resource[]): AnyReader<Resource> => {
  const byId = new Map(known.map((each) => [each.id, each]));
  return {
    find: async (id) => byId.get(id) ?? reader.find(id),
    page: (filter, request) => reader.page(filter, request),
    findBy: (field, values) => reader.findBy(field, values),
    firstBy: (field, values, limit) => reader.firstBy(field, values, limit),
  };
};
