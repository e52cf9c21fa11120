import * as t from 'io-ts';
import { Id } from '#domain/id.ts';
import { Instant } from '#domain/instant.ts';
import { Money } from '#domain/money.ts';
import { Quantity } from '#domain/quantity.ts';
import type { IntegerRule, Rule } from '#domain/rule.ts';
import { snakeCase } from './names.ts';

/** Reads a value from JSON or a query string into the domain's own form. */
export type Codec<A> = t.Decoder<unknown, A>;

/** A codec that says in one sentence what it takes, for `read` gives the value or what is wrong with it. */
const codec = <A>(name: string, read: (input: unknown) => { readonly value: A } | string): Codec<A> =>
  decoder(name, (input, context) => {
    const result = read(input);
    return typeof result === 'string' ? t.failure(input, context, result) : t.success(result.value);
  });

/** Nothing is ever written through these, so they are decoders that pass for the whole types that io-ts knows. */
const decoder = <A>(name: string, validate: t.Validate<unknown, A>): Codec<A> =>
  new t.Type<A, unknown, unknown>(name, (_input): _input is A => false, validate, t.identity);

const ruled = <A>(value: A, rule: Rule<A>): { readonly value: A } | string => rule.fault(value) ?? { value };

/** Text within the domain's bounds for it. */
export const text = (rule: Rule<string>): Codec<string> =>
  codec('text', (input) => (typeof input === 'string' ? ruled(input, rule) : 'must be text'));

export const integer = (rule: IntegerRule): Codec<number> =>
  codec('integer', (input) =>
    typeof input === 'number' ? ruled(input, rule) : (rule.fault(Number.NaN) ?? ''),
  );

/** A decimal number of at most three places, as the domain counts it. */
export const quantity = (rule: Rule<number>): Codec<Quantity> =>
  codec('quantity', (input) => {
    if (typeof input !== 'number') return 'must be a number';
    return rule.fault(input) ?? { value: Quantity.of(input) };
  });

export const id = <I extends Id>(): Codec<I> =>
  codec('id', (input) => {
    const value = typeof input === 'string' ? Id.parse<I>(input) : undefined;
    return value === undefined ? 'must be a UUID' : { value };
  });

export const instant: Codec<Instant> = codec('instant', (input) => {
  const value = typeof input === 'string' ? Instant.parse(input) : undefined;
  return value === undefined ? 'must be a time in RFC 3339, such as 2026-03-01T12:00:00Z' : { value };
});

const digits = /^\d+$/;

/** How long a page may be; whoever asks for more gets this. */
const longestPage = 100;

export const pageLimit: Codec<number> = codec('limit', (input) => {
  const limit = typeof input === 'string' && digits.test(input) ? Number(input) : 0;
  return limit < 1 ? 'must be a whole number, at least 1' : { value: Math.min(limit, longestPage) };
});

export const oneOf = <const V extends string>(values: readonly V[]): Codec<V> =>
  codec('one of', (input) => {
    const value = values.find((one) => one === input);
    return value === undefined ? `must be one of ${values.join(', ')}` : { value };
  });

export const listOf = <A>(item: Codec<A>): Codec<readonly A[]> =>
  decoder('list', (input, context) => {
    if (!Array.isArray(input)) return t.failure(input, context, 'must be a list');
    const results = input.map((one, place) =>
      item.validate(one, t.appendContext(context, `${place}`, item, one)),
    );
    const errors = results.flatMap((result) => (result._tag === 'Left' ? result.left : []));
    if (errors.length > 0) return t.failures(errors);
    return t.success(results.flatMap((result) => (result._tag === 'Right' ? [result.right] : [])));
  });

export const nullable = <A>(inner: Codec<A>): Codec<A | null> =>
  decoder(`${inner.name} or null`, (input, context) =>
    input === null ? t.success(null) : inner.validate(input, context),
  );

type Fields = Readonly<Record<string, Codec<unknown>>>;

type Decoded<C> = C extends Codec<infer A> ? A : never;

type RecordOf<Required extends Fields, Optional extends Fields> = {
  readonly [F in keyof Required]: Decoded<Required[F]>;
} & { readonly [F in keyof Optional]?: Decoded<Optional[F]> };

/**
 * A JSON object with these fields and no others. They are named here as the domain names them, and in JSON in snake
 * case. Every fault is found, not just the first.
 */
export const record = <Required extends Fields, Optional extends Fields = Readonly<Record<never, never>>>(
  required: Required,
  optional?: Optional,
): Codec<RecordOf<Required, Optional>> => {
  const fields = new Map(
    Object.entries({ ...required, ...optional }).map(([name, field]) => [
      snakeCase(name),
      { name, field, isRequired: Object.hasOwn(required, name) },
    ]),
  );
  return decoder('record', (input, context) => {
    if (!isRecord(input)) return t.failure(input, context, 'must be an object');
    const errors: t.Errors = [];
    const output: Record<string, unknown> = {};
    for (const key of Object.keys(input)) {
      if (!fields.has(key)) errors.push(fault(context, key, t.unknown, input[key], 'is not known here'));
    }
    for (const [key, { name, field, isRequired }] of fields) {
      if (!Object.hasOwn(input, key)) {
        if (isRequired) errors.push(fault(context, key, field, undefined, 'is required'));
        continue;
      }
      const result = field.validate(input[key], t.appendContext(context, key, field, input[key]));
      if (result._tag === 'Left') errors.push(...result.left);
      else output[name] = result.right;
    }
    return errors.length > 0 ? t.failures(errors) : t.success(output as RecordOf<Required, Optional>);
  });
};

const isRecord = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !Array.isArray(input);

const fault = (
  context: t.Context,
  key: string,
  field: Codec<unknown>,
  value: unknown,
  message: string,
): t.ValidationError => ({ value, context: t.appendContext(context, key, field, value), message });

const moneyFields = { amount: integer(Money.amount), currency: text(Money.currency) };

export const money = record(moneyFields);

/** The part of a price that a merge patch changes. */
export const moneyInPart = record({}, moneyFields);
