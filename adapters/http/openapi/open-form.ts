import type { Schema } from '#adapters/wire/codec.ts';
import { mapChildren, mapValues } from './schemas.ts';

/** The parts of a document that have schemas. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly webhooks: unknown;
  readonly components: {
    readonly schemas: Schemas;
    readonly parameters: unknown;
    readonly responses: unknown;
    readonly headers: unknown;
  };
}

type Schemas = Readonly<Record<string, Schema>>;
type Change = (schema: Schema) => Schema;

/**
 * Makes the document that is published of the closed one, to which the tests hold responses. What Portico sends is open: a later
 * release may add fields, values and event types, and raise limits. What it receives stays closed. A schema that both use is there
 * twice: `Money` is sent, and `MoneyInput` received.
 */
export const openForm = <D extends Document>(document: D): D => {
  const { components, paths, webhooks } = document;
  const { schemas, parameters, responses, headers } = components;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods) as Operation[]);
  const received = namesBelow(schemas, [parameters, operations.map(({ responses: _, ...rest }) => rest)]);
  const sent = namesBelow(schemas, [responses, headers, webhooks, operations.map((one) => one.responses)]);
  const isTwice = (name: string): boolean => received.has(name) && sent.has(name);

  const closed: Change = (schema) => withRefs(schema, (name) => (isTwice(name) ? `${name}Input` : name));
  const open: Change = (schema) => opened(schema, schemas);
  const openOperation = ({ responses: answers, ...request }: Operation) => ({
    ...(withSchemas(request, closed) as object),
    responses: withSchemas(answers, open),
  });
  return {
    ...document,
    paths: mapValues(paths, (methods) =>
      mapValues(methods, (operation) => openOperation(operation as Operation)),
    ),
    webhooks: withSchemas(webhooks, open),
    components: {
      ...components,
      schemas: Object.fromEntries(
        Object.entries(schemas).flatMap(([name, schema]): readonly (readonly [string, Schema])[] => [
          ...(sent.has(name) ? [[name, open(schema)] as const] : []),
          ...(received.has(name) ? [[isTwice(name) ? `${name}Input` : name, closed(schema)] as const] : []),
        ]),
      ),
      parameters: withSchemas(parameters, closed),
      responses: withSchemas(responses, open),
      headers: withSchemas(headers, open),
    },
  };
};

interface Operation {
  readonly responses: unknown;
}

const prefix = '#/components/schemas/';

/** The names of the schemas that these parts of a document refer to, directly or by another schema. */
const namesBelow = (schemas: Schemas, parts: unknown): ReadonlySet<string> => {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, inner] of Object.entries(node)) {
      if (key !== '$ref' || typeof inner !== 'string' || !inner.startsWith(prefix)) visit(inner);
      else if (!names.has(inner.slice(prefix.length))) {
        names.add(inner.slice(prefix.length));
        visit(schemas[inner.slice(prefix.length)]);
      }
    }
  };
  visit(parts);
  return names;
};

/** Changes each schema of a part of the document, which is the value of a field `schema`. */
const withSchemas = (node: unknown, change: Change): unknown => {
  if (Array.isArray(node)) return node.map((inner) => withSchemas(inner, change));
  if (typeof node !== 'object' || node === null) return node;
  return mapValues(node as Readonly<Record<string, unknown>>, (inner, key) => {
    if (key === 'schema') return change(inner as Schema);
    return key === 'example' || key === 'examples' ? inner : withSchemas(inner, change);
  });
};

const withRefs = ({ $ref, ...rest }: Schema, rename: (name: string) => string): Schema => ({
  ...($ref !== undefined && { $ref: `${prefix}${rename($ref.slice(prefix.length))}` }),
  ...mapChildren(rest, (child) => withRefs(child, rename)),
});

/** What a later release may raise or lift in a response. */
const limits: ReadonlySet<string> = new Set<keyof Schema>([
  ...(['maxLength', 'maxItems', 'maxProperties', 'maximum', 'multipleOf'] as const),
  ...(['pattern', 'propertyNames', 'not'] as const),
]);

/** A schema of what is sent, without its limits. Other fields and values may come, and known values stay listed. */
const opened = (schema: Schema, schemas: Schemas): Schema => {
  const open: Change = (child) => opened(child, schemas);
  const {
    enum: values,
    const: only,
    additionalProperties,
    anyOf,
    ...rest
  }: Schema = Object.fromEntries(
    Object.entries(mapChildren(withDescribedItems(schema), open)).filter(([keyword]) => !limits.has(keyword)),
  );
  if (values !== undefined) return openValues(values, rest);
  return {
    ...rest,
    // It is a limit too.
    ...(rest.format === 'int32' && { format: 'int64' }),
    ...(only !== undefined && { type: typeof only as 'string' | 'boolean' | 'number', examples: [only] }),
    ...(additionalProperties && { additionalProperties }),
    ...(anyOf && { anyOf: openAlternatives(anyOf, schemas) }),
  };
};

/**
 * A list whose items have known values lists them in its description. As alternatives of the items they would end the mocks that
 * orval 7 makes for tests: it writes a list of lists, which does not compile.
 */
const withDescribedItems = (schema: Schema): Schema => {
  const { items: { enum: values, ...items } = {}, description } = schema;
  if (values === undefined) return schema;
  const known = `Known values: ${values.map((one) => `\`${one}\``).join(', ')}.`;
  return { ...schema, items, description: description === undefined ? known : `${description} ${known}` };
};

const openValues = (values: readonly unknown[], { type = 'string', ...rest }: Schema): Schema => ({
  ...rest,
  anyOf: [{ type, enum: values }, { type }],
});

const anyObject: Schema = { type: 'object', additionalProperties: {} };

/** @param anyOf alternatives that are open already */
const openAlternatives = (anyOf: readonly Schema[], schemas: Schemas): readonly Schema[] => {
  const alternatives = anyOf.flatMap((one) => {
    const { anyOf: inner, ...rest } = one;
    return inner !== undefined && Object.keys(rest).length === 0 ? inner : [one];
  });
  const isObject = ({ type, $ref }: Schema): boolean =>
    $ref === undefined ? type === 'object' : isObject(schemas[$ref.slice(prefix.length)] ?? {});
  return alternatives.filter(isObject).length > 1 ? [...alternatives, anyObject] : alternatives;
};
