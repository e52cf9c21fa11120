import * as t from 'io-ts';
import type { FieldError } from '#domain/errors.ts';
import { type Codec, codec, type SnakeCase, snakeCase } from './codec.ts';
import { isObject } from './json.ts';

/** Codecs by the names of their fields. */
// biome-ignore lint/suspicious/noExplicitAny: any codec, whatever value it encodes
export type Fields = Readonly<Record<string, Codec<any>>>;
type None = Readonly<Record<never, never>>;

type Value<Required extends Fields, Optional extends Fields> = {
  readonly [F in keyof Required]: Required[F]['_A'];
} & { readonly [F in keyof Optional]?: Optional[F]['_A'] };

/** The object in JSON, with names in snake case. */
type Wire<Required extends Fields, Optional extends Fields> = {
  readonly [F in keyof Required as SnakeCase<F & string>]: Required[F]['_O'];
} & { readonly [F in KnownKeys<Optional> as SnakeCase<F>]?: Optional[F]['_O'] };

/** The names of the fields, without the index signature that TypeScript infers when there are none. */
type KnownKeys<F extends Fields> = keyof { [N in keyof F as string extends N ? never : N & string]: never } &
  string;

/**
 * A codec for a JSON object with these fields and no others. Names are camel case here and snake case in JSON. Decoding
 * reports every error, not only the first. io-ts has no such codec: `t.exact` drops unknown fields without an error.
 */
export const strictObject = <Required extends Fields, Optional extends Fields = None>(
  required: Required,
  optional?: Optional,
): Codec<Value<Required, Optional>, Wire<Required, Optional>> => {
  const fields = Object.entries({ ...required, ...optional }).map(([name, field]) => ({
    name,
    key: snakeCase(name),
    field,
    isRequired: Object.hasOwn(required, name),
  }));
  const known = new Set(fields.map(({ key }) => key));

  const validate: t.Validate<unknown, Value<Required, Optional>> = (input, context) => {
    if (!isObject(input)) return t.failure(input, context, 'must be an object');
    const errors: t.Errors = [];
    const output: Record<string, unknown> = {};
    for (const key of Object.keys(input)) {
      if (!known.has(key))
        errors.push(fieldError(context, key, t.unknown, input[key], 'is unknown and must be removed'));
    }
    for (const { name, key, field, isRequired } of fields) {
      if (!Object.hasOwn(input, key)) {
        if (isRequired) errors.push(fieldError(context, key, field, undefined, 'is required'));
        continue;
      }
      const result = field.validate(input[key], t.appendContext(context, key, field, input[key]));
      if (result._tag === 'Left') errors.push(...result.left);
      else output[name] = result.right;
    }
    return errors.length > 0 ? t.failures(errors) : t.success(output as Value<Required, Optional>);
  };

  const encode = (value: Readonly<Record<string, unknown>>): Wire<Required, Optional> => {
    const output: Record<string, unknown> = {};
    for (const { name, key, field } of fields) {
      if (value[name] !== undefined) output[key] = field.encode(value[name]);
    }
    return output as Wire<Required, Optional>;
  };

  return codec('object', {
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map(({ key, field }) => [key, field.schema])),
      ...(Object.keys(required).length > 0 && { required: Object.keys(required).map(snakeCase) }),
      additionalProperties: false,
    },
    validate,
    encode,
  });
};

/**
 * The same codec for an object whose fields also have to fit together.
 * @param misfit returns a field that does not fit the others, and the message of the error
 */
export const fitting = <A, Wire>(
  { name, schema, validate, encode }: Codec<A, Wire>,
  misfit: (value: A) => FieldError | undefined,
): Codec<A, Wire> =>
  codec(name, {
    schema,
    encode,
    validate: (input, context) => {
      const result = validate(input, context);
      const error = result._tag === 'Right' ? misfit(result.right) : undefined;
      if (error === undefined) return result;
      return t.failures([fieldError(context, snakeCase(error.field), t.unknown, input, error.message)]);
    },
  });

const fieldError = (
  context: t.Context,
  key: string,
  field: t.Decoder<unknown, unknown>,
  value: unknown,
  message: string,
): t.ValidationError => ({ value, context: t.appendContext(context, key, field, value), message });
