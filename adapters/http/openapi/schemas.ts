import type { Schema } from '#adapters/wire/json-schema.ts';

/** The schema with references in place of everything that has a title. */
export const withReferences = (schema: Schema): Schema => {
  const { title, description, examples } = schema;
  if (title === undefined) return referenceChildren(schema);
  return {
    $ref: `#/components/schemas/${title}`,
    ...(description !== undefined && { description }),
    ...(examples && { examples }),
  };
};

/** Everything in the schema that has a title, by that. What only one place says of it is left out. */
export const namedSchemas = (schema: Schema): readonly (readonly [string, Schema])[] => {
  const { title, description: _, examples: __, ...rest } = schema;
  const below = childrenOf(schema).flatMap(namedSchemas);
  return title === undefined ? below : [[title, referenceChildren(rest)], ...below];
};

/** An example of what a schema describes, put together from those of its fields. @throws when a field has none */
export const exampleOf = (schema: Schema): unknown => {
  const { examples = [], const: only, enum: values, items, properties, anyOf } = schema;
  const [own] = [...examples, ...(only === undefined ? [] : [only]), ...(values ?? [])];
  if (own !== undefined) return own;
  if (items) return [exampleOf(items)];
  if (properties) return mapProperties(properties, exampleOf);
  if (anyOf?.[0]) return exampleOf(anyOf[0]);
  throw new Error(`Something in the API's description has no example: ${JSON.stringify(schema)}`);
};

/** An object of just these. */
export const strictObjectSchema = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

const referenceChildren = ({ items, properties, anyOf, ...rest }: Schema): Schema => ({
  ...rest,
  ...(items && { items: withReferences(items) }),
  ...(properties && { properties: mapProperties(properties, withReferences) }),
  ...(anyOf && { anyOf: anyOf.map(withReferences) }),
});

const childrenOf = ({ items, properties, anyOf }: Schema): readonly Schema[] => [
  ...(items ? [items] : []),
  ...Object.values(properties ?? {}),
  ...(anyOf ?? []),
];

const mapProperties = <T>(properties: Readonly<Record<string, Schema>>, make: (schema: Schema) => T) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, make(schema)]));
