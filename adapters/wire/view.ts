import type { Resource } from '#domain/resource.ts';
import { described } from './codec.ts';
import { id, instant, integer } from './codecs.ts';
import type { Schema } from './json-schema.ts';
import { type SnakeCase, snakeCase } from './snake-case.ts';

/** How something is shown to clients, and what of it they can count on. */
export interface View<T, Wire = unknown> {
  /** What it is called in the API's description. */
  readonly name: string;
  readonly schema: Schema;
  readonly encode: (shown: T) => Wire;
}

/** One field of a view: written from a value that the thing has under the field's name. */
interface EncodedField<V, Wire = unknown> {
  readonly schema: Schema;
  readonly encode: (value: V) => Wire;
}

/** A field that is written from what follows from the whole. */
interface DerivedField<T, Wire = unknown> {
  readonly schema: Schema;
  readonly derive: (whole: T) => Wire;
}

type Fields<T> = {
  readonly [name: string]: DerivedField<T> | EncodedField<never>;
} & { readonly [F in keyof T]?: EncodedField<T[F]> | DerivedField<T> };

type WireOf<F> =
  F extends DerivedField<never, infer Wire> ? Wire : F extends EncodedField<never, infer Wire> ? Wire : never;

type WireObject<F> = { readonly [N in keyof F as SnakeCase<N & string>]: WireOf<F[N]> };

export const derived = <T, V, Wire>(
  { schema, encode }: EncodedField<V, Wire>,
  from: (whole: T) => V,
): DerivedField<T, Wire> => ({ schema, derive: (whole) => encode(from(whole)) });

/** The fields are named as the domain names them, and shown in snake case, in this order. */
const view =
  <T>() =>
  <F extends Fields<T>>(name: string, fields: F): View<T, WireObject<F>> => {
    // Each field is written from the value under its own name, so what is said here of all of them holds for each.
    const all = fields as Readonly<Record<string, DerivedField<T> | EncodedField<unknown>>>;
    const entries = Object.entries(all).map(([field, shown]) => ({
      key: snakeCase(field),
      schema: responseSchema(shown.schema),
      ...('derive' in shown ? { derive: shown.derive } : { field, encode: shown.encode }),
    }));
    return {
      name,
      schema: {
        title: name,
        type: 'object',
        properties: Object.fromEntries(entries.map(({ key, schema }) => [key, schema])),
        required: entries.map(({ key }) => key),
        additionalProperties: false,
      },
      encode: (whole) => encodeFields(entries, whole) as WireObject<F>,
    };
  };

type Encoder<T> =
  | { readonly key: string; readonly derive: (whole: T) => unknown }
  | { readonly key: string; readonly field: string; readonly encode: (value: never) => unknown };

const encodeFields = <T>(fields: readonly Encoder<T>[], whole: T): Readonly<Record<string, unknown>> => {
  const values = whole as Readonly<Record<string, never>>;
  const output: Record<string, unknown> = {};
  for (const field of fields) {
    output[field.key] = 'derive' in field ? field.derive(whole) : field.encode(values[field.field] as never);
  }
  return output;
};

/**
 * The schema of a field as an answer has it. That a number has so many decimals is a rule for whoever sends it: of what
 * comes back, validators that divide by 0.001 would find that 1.005 leaves a remainder.
 */
const responseSchema = ({ multipleOf: _, ...schema }: Schema): Schema => schema;

const count = { least: 1, most: 2 ** 31 - 1, fault: () => undefined };

/** What every resource shows after what only it does. */
const commonFields = {
  version: described(integer(count), 'Grows by one with each change; the ETag is made of it.', 1),
  createdAt: described(instant, 'When it was made.', '2026-03-01T12:00:00.000Z'),
  updatedAt: described(instant, 'When it was last changed.', '2026-03-01T12:00:00.000Z'),
};

export const resourceView =
  <T extends Resource>() =>
  <F extends Fields<T>>(name: string, fields: F) => {
    const kind = name.replaceAll(/(?<=.)[A-Z]/g, '-$&').toLowerCase();
    const identity = described(id(kind), 'Ascends with the time of creation (UUIDv7).');
    return view<T>()(name, { id: identity, ...fields, ...commonFields });
  };
