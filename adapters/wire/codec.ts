import * as t from 'io-ts';
import type { Schema } from './json-schema.ts';

/** Reads what came from a client into the domain's own form. */
export interface Decoder<A> extends t.Decoder<unknown, A> {
  readonly schema: Schema;
}

/**
 * What a value is in JSON and in the domain, and how it goes from one to the other and back. The schema describes the JSON.
 */
export interface Codec<A, Wire = unknown> extends t.Type<A, Wire, unknown> {
  readonly schema: Schema;
}

interface CodecOptions<A, Wire> {
  readonly schema: Schema;
  readonly validate: t.Validate<unknown, A>;
  readonly encode: (value: A) => Wire;
}

/** Nobody asks these whether something is in the domain's form already. */
const isDomainValue = (_input: unknown): _input is never => false;

export const codec = <A, Wire>(
  name: string,
  { schema, validate, encode: write }: CodecOptions<A, Wire>,
): Codec<A, Wire> =>
  Object.assign(new t.Type<A, Wire, unknown>(name, isDomainValue, validate, write), { schema });

/**
 * A codec for one value that is no more than that.
 * @param parse gives the value, or says in a few words what is wrong with it
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

/** The same codec, whose schema has a name of its own in the API's description. */
export const named = <A, Wire>(
  title: string,
  { name, schema, validate, encode }: Codec<A, Wire>,
): Codec<A, Wire> => codec(name, { schema: { title, ...schema }, validate, encode });

/** The same codec, with words for whoever reads the schema. */
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
