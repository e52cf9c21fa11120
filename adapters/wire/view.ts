import type { Resource } from '#domain/resource.ts';
import { described, type Schema, type SnakeCase, snakeCase } from './codec.ts';
import { id, instant, integer } from './codecs.ts';

/** Encodes a resource for clients. The schema lists the fields that clients can rely on. */
export interface View<T, Wire = unknown> {
  /** Its title in the OpenAPI document. */
  readonly name: string;
  readonly schema: Schema;
  readonly encode: (value: T) => Wire;
}

/** A field encoded from the property of the same name. */
interface EncodedField<V, Wire = unknown> {
  readonly schema: Schema;
  readonly encode: (value: V) => Wire;
}

/** A field computed from the whole resource. */
export interface DerivedField<T, Wire = unknown> {
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

/**
 * A view of a resource: its id, these fields, then version and times. Names are camel case here and snake case in JSON, and
 * the JSON keeps their order.
 */
export const resourceView =
  <T extends Resource>() =>
  <F extends Fields<T>>(name: string, fields: F) => {
    const kind = name.replaceAll(/(?<=.)[A-Z]/g, '-$&').toLowerCase();
    const identity = described(id(kind), 'A UUIDv7. Ids ascend with the time of creation.');
    return view<T>()(name, { id: identity, ...fields, ...commonFields });
  };

/** A view of what is no resource: these fields alone. */
export const view =
  <T>() =>
  <F extends Fields<T>>(name: string, fields: F): View<T, WireObject<F>> => {
    // TypeScript cannot relate each field's encoder to the type of its own property, so the types are erased here.
    const all = fields as Readonly<Record<string, DerivedField<T> | EncodedField<unknown>>>;
    const encoders = Object.entries(all).map(([property, field]) => ({
      key: snakeCase(property),
      schema: responseSchema(field.schema),
      ...('derive' in field ? { derive: field.derive } : { property, encode: field.encode }),
    }));
    return {
      name,
      schema: {
        title: name,
        type: 'object',
        properties: Object.fromEntries(encoders.map(({ key, schema }) => [key, schema])),
        required: encoders.map(({ key }) => key),
        additionalProperties: false,
      },
      encode: (whole) => encodeFields(encoders, whole) as WireObject<F>,
    };
  };

type FieldEncoder<T> =
  | { readonly key: string; readonly derive: (whole: T) => unknown }
  | { readonly key: string; readonly property: string; readonly encode: (value: never) => unknown };

const encodeFields = <T>(
  encoders: readonly FieldEncoder<T>[],
  whole: T,
): Readonly<Record<string, unknown>> => {
  const values = whole as Readonly<Record<string, never>>;
  const output: Record<string, unknown> = {};
  for (const encoder of encoders) {
    output[encoder.key] =
      'derive' in encoder ? encoder.derive(whole) : encoder.encode(values[encoder.property] as never);
  }
  return output;
};

/**
 * The schema of a field in a response. It omits `multipleOf`, which only restricts requests: validators that divide by 0.001
 * find a remainder in 1.005 and would reject valid responses.
 */
const responseSchema = ({ multipleOf: _, ...schema }: Schema): Schema => schema;

const count = { minimum: 1, maximum: 2 ** 31 - 1, violation: () => undefined };

const commonFields = {
  version: described(integer(count), 'Incremented by each change. The ETag is the version in quotes.', 1),
  createdAt: described(instant, 'When the resource was created.', '2026-03-01T12:00:00.000Z'),
  updatedAt: described(instant, 'When the resource was last changed.', '2026-03-01T12:00:00.000Z'),
};
