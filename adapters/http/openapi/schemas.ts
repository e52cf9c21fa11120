import type { Schema } from '#adapters/wire/codec.ts';
import { Role } from '#domain/access.ts';

/** Replaces every part that has a title by a reference to its component. */
export const withReferences = (schema: Schema): Schema => {
  const { title, description, examples, 'x-required-role': role } = schema;
  if (title === undefined) return referenceChildren(schema);
  return {
    $ref: `#/components/schemas/${title}`,
    ...(description !== undefined && { description }),
    ...(examples && { examples }),
    ...(role && { 'x-required-role': role }),
  };
};

/** The parts of a schema that have a title, without descriptions and examples that belong to one use of them. */
export const namedSchemas = (schema: Schema): readonly (readonly [string, Schema])[] => {
  const { title, description: _, examples: __, 'x-required-role': ___, ...rest } = schema;
  const below = childrenOf(schema).flatMap(namedSchemas);
  return title === undefined ? below : [[title, referenceChildren(rest)], ...below];
};

/** An example that matches the schema, composed from those of its fields. @throws when a field has no example */
export const exampleOf = (schema: Schema): unknown => {
  const { examples = [], const: constant, enum: values, items, properties, anyOf } = schema;
  const [own] = [...examples, ...(constant === undefined ? [] : [constant]), ...(values ?? [])];
  if (own !== undefined) return own;
  if (items) return [exampleOf(items)];
  if (properties) return mapValues(properties, exampleOf);
  if (anyOf?.[0]) return exampleOf(anyOf[0]);
  throw new Error(`A schema of the OpenAPI document has no example: ${JSON.stringify(schema)}`);
};

/**
 * An example of a request's body. It leaves out optional fields whose right value depends on other resources: ids, and sums of
 * money. It also leaves out what callers of this role may not write, and what fits some states only. All that are left work as they are. Of a body that can have
 * several forms it is of the first.
 */
export const requestExampleOf = (schema: Schema, role: Role): unknown => {
  const { properties = {}, required = [], anyOf: [first] = [] } = schema;
  if (first !== undefined) return requestExampleOf(first, role);
  const writable = Object.entries(properties).filter(
    ([name, field]) => required.includes(name) || !(dependsOnOthers(field) || isAbove(role, field)),
  );
  return mapValues(Object.fromEntries(writable), exampleOf);
};

const isAbove = (role: Role, { 'x-required-role': needed = role }: Schema): boolean =>
  !Role.isAtLeast(role, needed);

const dependsOnOthers = ({ format, required = [], ...rest }: Schema): boolean =>
  rest['x-example-omitted'] === true ||
  format === 'uuid' ||
  (required.includes('amount') && required.includes('currency'));

/** An object with exactly these properties, all required. */
export const strictObjectSchema = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const referenceChildren = (schema: Schema): Schema => mapChildren(schema, withReferences);

/** The same schema with its parts changed. */
export const mapChildren = (
  { items, properties, anyOf, additionalProperties, ...rest }: Schema,
  change: (part: Schema) => Schema,
): Schema => ({
  ...rest,
  ...(items && { items: change(items) }),
  ...(properties && { properties: mapValues(properties, change) }),
  ...(additionalProperties !== undefined && {
    additionalProperties: additionalProperties && change(additionalProperties),
  }),
  ...(anyOf && { anyOf: anyOf.map(change) }),
});

const childrenOf = ({ items, properties, anyOf, additionalProperties }: Schema): readonly Schema[] => [
  ...(items ? [items] : []),
  ...(additionalProperties ? [additionalProperties] : []),
  ...Object.values(properties ?? {}),
  ...(anyOf ?? []),
];

export const mapValues = <V, T>(
  values: Readonly<Record<string, V>>,
  make: (value: V, name: string) => T,
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value, name)]));
