import { DomainError } from '#domain/errors.ts';
import type { Id, Resource } from '#domain/resource.ts';
import type { Collections, ReadRepositories, Repositories } from '../ports/repositories.ts';
import type { Reading } from '../ports/unit-of-work.ts';
import { type Caller, type Permission, requirePermission } from '../preconditions.ts';
import type { UseCase } from '../use-case.ts';
import { readerOf, withKnownResources } from './known-resources.ts';

/** What a name stands for: another resource, null where the caller may not read it, or the first of several others. */
export type Expanded = Resource | null | { readonly first: readonly Resource[]; readonly hasMore: boolean };

/** A name by which resources can be expanded. */
export interface Expansion<T extends Resource = never> {
  readonly holds: 'one' | 'many';
  /** What the name requires of the caller: the permission of its own GET. */
  readonly permission: Permission;
  /** Reads for all resources with one query. @returns what each of them has */
  readonly read: (
    repositories: ReadRepositories,
    caller: Caller,
    resources: readonly T[],
  ) => Promise<(of: T) => Expanded>;
}

type ResourceOf<C extends keyof Collections> = Collections[C]['resource'];

/** The query of a single resource. A rule of one's own around it holds for expansions, too. */
interface Get<Input, T> {
  (caller: Caller, input: Input): Reading<T>;
  readonly permission: Permission;
}

/** The maximum number of resources of one name. */
export const maxExpanded = 100;

/**
 * A name for the resource that others refer to.
 * @param idOf the reference
 * @param get the query of its GET. Null stands for what it rejects
 */
export const expandOne = <C extends keyof Collections, T extends Resource>(
  collection: C,
  idOf: (of: T) => ResourceOf<C>['id'],
  get: Get<ResourceOf<C>['id'], ResourceOf<C>>,
): Expansion<T> & { readonly holds: 'one' } => ({
  holds: 'one',
  permission: get.permission,
  read: async (repositories, caller, resources) => {
    const found = await readerOf<ResourceOf<C>>(repositories, collection).findBy('id', resources.map(idOf));
    const known = withKnownResources(repositories, { [collection]: found });
    const shown = await shownBy(found, ({ id }) => get(caller, id)(known));
    const byId = new Map(shown.map((each) => [each.id, each]));
    return (of) => byId.get(idOf(of)) ?? null;
  },
});

interface Many<C extends keyof Collections, Input> {
  readonly collection: C;
  /** The field with the reference to the resource that is expanded. */
  readonly field: keyof Collections[C]['filter'] & keyof ResourceOf<C> & string;
  /** The collection of the resources that are expanded. */
  readonly of: keyof Collections;
  readonly get: Get<Input, ResourceOf<C>>;
  /** The input of the query. */
  readonly input: (of: ResourceOf<C>) => Input;
}

/** A name for the resources that refer to others. What the query of their GET rejects is omitted. */
export const expandMany = <C extends keyof Collections, Input>({
  collection,
  field,
  of,
  get,
  input,
}: Many<C, Input>): Expansion<Resource> & { readonly holds: 'many' } => ({
  holds: 'many',
  permission: get.permission,
  read: async (repositories, caller, resources) => {
    const reader = readerOf<ResourceOf<C>>(repositories, collection);
    const ids = resources.map(({ id }) => id);
    const found = await reader.firstBy(field, ids, maxExpanded + 1);
    const known = withKnownResources(repositories, { [of]: resources, [collection]: found });
    // The field is a reference, so it holds an id: every caller names one.
    const groups = Map.groupBy(found, (each) => each[field as keyof typeof each] as unknown as Id);
    const firstOf = (id: Id) => groups.get(id)?.slice(0, maxExpanded) ?? [];
    const shown = await shownBy(ids.flatMap(firstOf), (each) => get(caller, input(each))(known));
    const byId = new Map(shown.map((each) => [each.id, each]));
    return ({ id }) => ({
      first: firstOf(id).flatMap((each) => byId.get(each.id) ?? []),
      hasMore: (groups.get(id)?.length ?? 0) > maxExpanded,
    });
  },
});

/** What the queries show; what they reject is omitted. */
const shownBy = async <T>(found: readonly T[], read: (each: T) => Promise<T>): Promise<readonly T[]> => {
  const shown = await Promise.all(
    found.map(async (each) => {
      try {
        return await read(each);
      } catch (error) {
        if (error instanceof DomainError) return undefined;
        throw error;
      }
    }),
  );
  return shown.filter((each) => each !== undefined);
};

/** The result of a use case, with what its resources are expanded by. */
export interface ExpandedResult<Result> {
  readonly result: Result;
  readonly expanded: (of: Resource) => Readonly<Record<string, Expanded>>;
}

/**
 * The same query or command, whose result is expanded by these names. All names are read together.
 * @param resourcesOf the resources of its result
 * @throws DomainError 'forbidden' when the caller lacks the permission for a name
 */
export const expanding = <Input, Result>(
  useCase: UseCase<Input, Result>,
  expansions: Readonly<Record<string, Expansion>>,
  resourcesOf: (result: Result) => readonly Resource[],
): UseCase<Input, ExpandedResult<Result>> => {
  if (useCase.kind === 'process') throw new TypeError('A process cannot be expanded.');
  const { kind, permission, errorKinds } = useCase;
  const prepare = (caller: Caller, input: Input) => {
    for (const each of Object.values(expansions)) requirePermission(caller, each.permission);
    const run = useCase(caller, input);
    return async (repositories: Repositories): Promise<ExpandedResult<Result>> => {
      const result = await run(repositories);
      const resources = resourcesOf(result) as readonly never[];
      const read = await Promise.all(
        Object.entries(expansions).map(
          async ([name, expansion]) => [name, await expansion.read(repositories, caller, resources)] as const,
        ),
      );
      return {
        result,
        // Its use case made the resource, so it is of the type that these expansions accept.
        expanded: (of) => Object.fromEntries(read.map(([name, held]) => [name, held(of as never)])),
      };
    };
  };
  return Object.assign(prepare, { kind, permission, errorKinds }) as UseCase<Input, ExpandedResult<Result>>;
};
