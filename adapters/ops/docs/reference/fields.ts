import { type Document, resolveSchema, type Schema, schemaName } from './document.ts';

/** A field of a parameter list, a body or a response, as readers see it. */
export interface Field {
  readonly name: string;
  /** In words: `string`, `array of strings`, `integer or null`. */
  readonly type: string;
  readonly isRequired: boolean;
  /** The least role that may write it, where that is more than the operation's. */
  readonly role: string | undefined;
  readonly description: string;
  readonly limits: readonly string[];
  /** All values that it can have, where they are a list. */
  readonly values: readonly unknown[];
  readonly fallback: unknown;
  /** The shared schema that describes it. */
  readonly schema: string | undefined;
  readonly children: readonly Field[];
  /** Where it has one of several forms: the name of each, and its fields. */
  readonly forms: readonly Form[];
}

export interface Form {
  readonly name: string;
  readonly schema: string | undefined;
  readonly fields: readonly Field[];
}

/** Lists the fields of an object; those of the items where it is an array of objects. */
export const fieldsOf = (document: Document, schema: Schema): readonly Field[] => {
  const { properties = {}, required = [], items } = resolveSchema(document, schema);
  if (items !== undefined) return fieldsOf(document, items);
  return Object.entries(properties).map(([name, property]) =>
    fieldOf(document, name, property, required.includes(name)),
  );
};

/** The forms of a schema that is one of several; none where it has one form only. */
export const formsOf = (document: Document, schema: Schema): readonly Form[] => {
  const alternatives = alternativesOf(resolveSchema(document, schema));
  if (alternatives.length < 2) return [];
  const forms = alternatives.map((alternative) => ({
    name: formName(document, alternative),
    schema: schemaName(alternative),
    fields: fieldsOf(document, alternative),
  }));
  // Known values beside any other text are no forms, nor is the object of which nothing is known.
  return forms.filter(({ fields }) => fields.length > 0);
};

/** A form without a name is told apart by its fields. */
const formName = (document: Document, alternative: Schema): string => {
  const name = schemaName(alternative);
  if (name !== undefined) return wordsOf(name);
  const { properties } = resolveSchema(document, alternative);
  return properties === undefined ? typeOf(document, alternative) : Object.keys(properties).join(' and ');
};

export const fieldOf = (document: Document, name: string, property: Schema, isRequired: boolean): Field => {
  const schema = resolveSchema(document, property);
  const alternatives = alternativesOf(schema);
  const [only, ...others] = alternatives;
  const parts = [schema, ...alternatives.map((each) => resolveSchema(document, each))];
  // An object or null: its fields are those of the object.
  const shape = only !== undefined && others.length === 0 ? only : property;
  return {
    ...{ name, isRequired },
    type: typeOf(document, property),
    role: schema['x-required-role'],
    description: schema.description ?? '',
    limits: [...new Set(parts.flatMap((part) => limitsOf(document, part)))],
    values: parts.flatMap((part) => valuesOf(document, part)),
    fallback: schema.default,
    schema: schemaName(shape) ?? schemaName(resolveSchema(document, shape).items ?? {}),
    children: fieldsOf(document, shape),
    forms: formsOf(document, property),
  };
};

/** What a schema can be other than null. */
const alternativesOf = ({ anyOf = [], oneOf = [] }: Schema): readonly Schema[] =>
  [...anyOf, ...oneOf].filter(({ type }) => type !== 'null');

/** `NewOrderItem` as `new order item`, and `MoneyInput` as `money`. */
export const wordsOf = (name: string): string =>
  name
    .replace(/^Expandable|Input$/g, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/\bapi\b/, 'API');

export const capitalized = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;

const formats: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': 'timestamp',
  date: 'date',
  email: 'e-mail address',
  uri: 'URL',
  'uri-reference': 'path',
};

const typeOf = (document: Document, described: Schema): string => {
  const schema = resolveSchema(document, described);
  const { anyOf, oneOf, items, format = '' } = schema;
  if (anyOf ?? oneOf) {
    const names = [...(anyOf ?? []), ...(oneOf ?? [])].map((each) => typeOf(document, each));
    return [...new Set(names)].join(' or ');
  }
  if (items !== undefined) return `array of ${pluralOf(typeOf(document, items))}${nullOf(schema)}`;
  const name = schemaName(described);
  if (name !== undefined && schema.properties !== undefined) return wordsOf(name);
  const known = formats[format];
  if (known !== undefined) return `${known}${nullOf(schema)}`;
  return typesOf(schema).join(' or ');
};

const typesOf = ({ type, const: only, properties }: Schema): readonly string[] => {
  if (type !== undefined) return [type].flat();
  if (only !== undefined) return [typeof only];
  return [properties === undefined ? 'any value' : 'object'];
};

const nullOf = (schema: Schema): string => (typesOf(schema).includes('null') ? ' or null' : '');

const pluralOf = (type: string): string => (type.endsWith('s') ? `${type}es` : `${type}s`);

const valuesOf = (document: Document, { enum: values, const: only, items }: Schema): readonly unknown[] => {
  if (values !== undefined) return values;
  if (only !== undefined) return [only];
  return items === undefined ? [] : listedValues(document, items);
};

/** The values that a schema lists, also beside any other text, as in what Portico sends. */
export const listedValues = (document: Document, described: Schema): readonly unknown[] => {
  const schema = resolveSchema(document, described);
  const parts = [schema, ...alternativesOf(schema)];
  return parts.flatMap((part) => resolveSchema(document, part).enum ?? []);
};

/** A pattern that only forbids control characters is of no use to a reader. */
const isPlain = (pattern: string): boolean => /^\^\[\^\\[ux]00/.test(pattern);

/** Formats that determine how long a value is. */
const hasFixedLength = (format: string | undefined): boolean => format === 'uuid' || format === 'date-time';

const limitsOf = (document: Document, schema: Schema): readonly string[] => {
  const { format, minLength, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  const { multipleOf, minItems, maxItems, uniqueItems, maxProperties, pattern, propertyNames, items } =
    schema;
  const inside = items === undefined ? [] : limitsOf(document, resolveSchema(document, items));
  const { additionalProperties } = schema;
  const value = typeof additionalProperties === 'object' ? limitsOf(document, additionalProperties) : [];
  return [
    hasFixedLength(format) ? '' : rangeOf(minLength, maxLength, 'characters'),
    exclusiveMinimum === undefined ? '' : `more than ${exclusiveMinimum}`,
    rangeOf(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum),
    exclusiveMaximum === undefined ? '' : `less than ${exclusiveMaximum}`,
    multipleOf === undefined ? '' : `a multiple of ${multipleOf}`,
    rangeOf(minItems, maxItems, 'entries'),
    uniqueItems ? 'no entry twice' : '',
    ...inside.map((limit) => `each ${limit}`),
    rangeOf(undefined, maxProperties, 'names'),
    ...(propertyNames === undefined
      ? []
      : limitsOf(document, propertyNames).map((limit) => `names: ${limit}`)),
    ...value.map((limit) => `values: ${limit}`),
    pattern === undefined || format !== undefined || isPlain(pattern) ? '' : `\`${pattern}\``,
  ].filter((limit) => limit !== '');
};

const rangeOf = (least: number | undefined, most: number | undefined, unit = ''): string => {
  const words = unit && ` ${unit}`;
  if (least !== undefined && least === most) return `${numberOf(least)}${words}`;
  if (least !== undefined && most !== undefined) return `${numberOf(least)} to ${numberOf(most)}${words}`;
  if (least !== undefined) return `at least ${numberOf(least)}${words}`;
  return most === undefined ? '' : `at most ${numberOf(most)}${words}`;
};

const numberOf = (number: number): string => number.toLocaleString('en');
