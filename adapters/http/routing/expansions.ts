import { type Schema, scalar } from '#adapters/wire/codec.ts';
import type { View } from '#adapters/wire/view.ts';
import {
  type Expanded,
  type ExpandedResult,
  type Expansion,
  maxExpanded,
} from '#application/expansion/expand.ts';
import { type Caller, requirePermission } from '#application/preconditions.ts';
import type { Resource } from '#domain/resource.ts';

/** A name by which resources can be expanded, and the view of what it stands for. */
export interface Expandable<Holds extends 'one' | 'many' = 'one' | 'many', Wire = unknown> {
  readonly expansion: Expansion & { readonly holds: Holds };
  readonly view: View<never, Wire>;
}

/** The names of a resource. */
export type Table = Readonly<Record<string, Expandable>>;

/** The names of a resource, and those of them that a route accepts. */
export interface Expansions<All extends Table = Table, Name extends string = string> {
  readonly all: All;
  readonly names: readonly Name[];
}

/** All names of a resource, or only some of them. */
export const expandBy = <All extends Table, Name extends keyof All & string = keyof All & string>(
  all: All,
  ...names: readonly Name[]
): Expansions<All, Name> => ({ all, names: names.length > 0 ? names : (Object.keys(all) as Name[]) });

/** A greater limit is lowered to this where the resources of a page are expanded. */
export const maxExpandedPageSize = 20;

/** The names that a request asks for, separated by commas, each at most once. */
export const expandCodec = ({ names }: Expansions) =>
  scalar<readonly string[], string>(
    'expand',
    { type: 'string', enum: orderings(names) },
    (input) => {
      const given = typeof input === 'string' ? input.split(',') : [];
      const isValid = given.every((name) => names.includes(name)) && new Set(given).size === given.length;
      return isValid && given.length > 0
        ? { value: given }
        : `must be one or more of ${names.join(', ')}, separated by commas, each once`;
    },
    (value) => value.join(),
  );

/** Every selection of the names in every order, as a query string has them. Each resource has a few names only. */
const orderings = (names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [
    name,
    ...orderings(names.filter((other) => other !== name)).map((rest) => `${name},${rest}`),
  ]);

/** @throws DomainError 'forbidden', naming what the caller lacks for one of the names */
export const requireExpansions = (
  caller: Caller,
  expansions: Expansions | undefined,
  expand: readonly string[],
): void => {
  for (const name of expand) {
    const permission = expansions?.all[name]?.expansion.permission;
    if (permission !== undefined) requirePermission(caller, permission);
  }
};

/** The expansions of these names, for the application. */
export const chosen = ({ all }: Expansions, expand: readonly string[]): Readonly<Record<string, Expansion>> =>
  Object.fromEntries(
    expand.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name].expansion]])),
  );

/** Encodes the field `expanded` of a resource. */
export const encodeExpanded =
  ({ all }: Expansions, expanded: ExpandedResult<unknown>['expanded']) =>
  (of: Resource): object =>
    Object.assign({}, ...Object.entries(expanded(of)).map(([name, held]) => encoded(name, all[name], held)));

const encoded = (name: string, expandable: Expandable | undefined, held: Expanded): object => {
  const encode = (expandable?.view.encode ?? String) as (resource: Resource) => unknown;
  if (held === null) return { [name]: null };
  if (!('first' in held)) return { [name]: encode(held) };
  return { [name]: held.first.map(encode), ...(held.hasMore && { [moreOf(name)]: true }) };
};

const moreOf = <Name extends string>(name: Name): `${Name}_has_more` => `${name}_has_more`;

/** The schema of a resource that can be expanded. Its expansions have the schemas of their own views, so none is below another. */
export const expandableSchema = (schema: Schema, { all }: Expansions): Schema => ({
  ...schema,
  title: `Expandable${schema.title}`,
  properties: {
    ...schema.properties,
    expanded: {
      title: `${schema.title}Expansions`,
      type: 'object',
      description: 'What the parameter `expand` asks for; absent without it.',
      properties: Object.fromEntries(
        Object.entries(all).flatMap(([name, { expansion, view }]) =>
          expansion.holds === 'one' ? [[name, orNull(view.schema)]] : severalOf(name, view.schema),
        ),
      ),
      additionalProperties: false,
    },
  },
});

const orNull = (schema: Schema): Schema => ({
  anyOf: [schema, { type: 'null' }],
  description: 'Null where you may not read it, and where it was deleted.',
});

const severalOf = (name: string, schema: Schema): readonly (readonly [string, Schema])[] => [
  [
    name,
    {
      type: 'array',
      items: schema,
      maxItems: maxExpanded,
      description: `The first ${maxExpanded} that you may read, in ascending order of ids.`,
    },
  ],
  [
    moreOf(name),
    {
      const: true,
      type: 'boolean',
      description: `Whether there are more than these ${maxExpanded}; absent otherwise.`,
    },
  ],
];

/** The field `expanded` in JSON. */
export type ExpandedWire<E> =
  E extends Expansions<infer All, infer Name>
    ? {
        readonly expanded?: {
          readonly [N in Name & keyof All]?: All[N] extends Expandable<'one', infer Wire>
            ? Wire | null
            : All[N] extends Expandable<'many', infer Wire>
              ? readonly Wire[]
              : never;
        } & { readonly [N in Name & ManyIn<All> as `${N}_has_more`]?: true };
      }
    : unknown;

type ManyIn<All> = {
  [N in keyof All & string]: All[N] extends Expandable<'one', unknown> ? never : N;
}[keyof All & string];

/** The parameter `expand` of a route: one name, or several with commas between. */
export type ExpandQuery<E> =
  E extends Expansions<Table, infer Name> ? { readonly expand?: Name | `${Name},${string}` } : unknown;
