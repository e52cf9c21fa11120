import * as t from 'io-ts';
import type { Role } from '#domain/access.ts';

/** The part of JSON Schema (draft 2020-12) that describes Portico's requests and responses. */
export interface Schema {
  readonly type?: JsonType | readonly JsonType[];
  /** The name of a schema that is used in several places. */
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The schema of the values of an object whose names are free; false when no other names are allowed. */
  readonly additionalProperties?: false | Schema;
  readonly propertyNames?: Schema;
  readonly maxProperties?: number;
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
  /** The lowest role whose users may write the field, when the operation itself is for lower ones too. */
  readonly 'x-required-role'?: Role;
  /** For a field that fits resources in some states only, so that no example of a request has it. */
  readonly 'x-example-omitted'?: true;
  readonly $ref?: string;
}

type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** Decodes JSON from a client into a value of the domain. */
export interface Decoder<A> extends t.Decoder<unknown, A> {
  readonly schema: Schema;
}

/** Decodes a value from JSON and encodes it back. The schema describes the JSON. */
export interface Codec<A, Wire = unknown> extends t.Type<A, Wire, unknown> {
  readonly schema: Schema;
}

interface CodecOptions<A, Wire> {
  readonly schema: Schema;
  readonly validate: t.Validate<unknown, A>;
  readonly encode: (value: A) => Wire;
}

/** io-ts needs a type guard. It is never called, because codecs are only used to decode and encode. */
const unusedGuard = (_input: unknown): _input is never => false;

export const codec = <A, Wire>(
  name: string,
  { schema, validate, encode }: CodecOptions<A, Wire>,
): Codec<A, Wire> =>
  Object.assign(new t.Type<A, Wire, unknown>(name, unusedGuard, validate, encode), { schema });

/**
 * Makes a codec for a value without fields.
 * @param parse returns the value, or the message of the error: `must be a UUID`
 */
export const scalar = <A, Wire>(
  name: string,
  schema: Schema,
  parse: (input: unknown) => { readonly value: A } | string,
  encode: (value: A) => Wire,
): Codec<A, Wire> =>
  codec(name, {
    schema,
    encode,
    validate: (input, context) => {
      const result = parse(input);
      return typeof result === 'string' ? t.failure(input, context, result) : t.success(result.value);
    },
  });

/** The same codec, which brings what it decodes into one form. */
export const normalized = <A, Wire>(
  { name, schema, validate, encode }: Codec<A, Wire>,
  normalize: (value: A) => A,
): Codec<A, Wire> =>
  codec(name, {
    schema,
    encode,
    validate: (input, context) => {
      const result = validate(input, context);
      return result._tag === 'Left' ? result : t.success(normalize(result.right));
    },
  });

/** The same codec, with a title under which the OpenAPI document lists its schema once. */
export const named = <A, Wire>(
  title: string,
  { name, schema, validate, encode }: Codec<A, Wire>,
): Codec<A, Wire> => codec(name, { schema: { title, ...schema }, validate, encode });

/** The same codec, with a description and examples in its schema. */
export const described = <A, Wire>(
  { name, schema, validate, encode }: Codec<A, Wire>,
  description: string,
  ...examples: readonly NoInfer<Wire>[]
): Codec<A, Wire> =>
  codec(name, {
    schema: { ...schema, description, ...(examples.length > 0 && { examples }) },
    validate,
    encode,
  });

/** The same codec, for a parameter of a query string that is required. */
export const required = <A, Wire>({
  name,
  schema,
  validate,
  encode,
}: Codec<A, Wire>): Codec<A, Wire> & RequiredParameter =>
  Object.assign(codec(name, { schema, validate, encode }), { isRequired: true } as const);

export interface RequiredParameter {
  readonly isRequired: true;
}

export const isRequired = (parameter: object): parameter is RequiredParameter => 'isRequired' in parameter;

/** The same codec, for a field that only users of this role or a higher one may write. */
export const forRole = <A, Wire>(
  role: Role,
  { name, schema, validate, encode }: Codec<A, Wire>,
): Codec<A, Wire> => codec(name, { schema: { ...schema, 'x-required-role': role }, validate, encode });

/** The same codec, for a field that fits resources in some states only. Examples of requests omit it. */
export const forSomeStates = <A, Wire>({ name, schema, validate, encode }: Codec<A, Wire>): Codec<A, Wire> =>
  codec(name, { schema: { ...schema, 'x-example-omitted': true }, validate, encode });

/** `productId` is `product_id` in JSON and query strings. */
export type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : '';

export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
