import { hash } from 'node:crypto';
import * as t from 'io-ts';
import { countries, country as countryRule } from '#domain/country.ts';
import { Instant } from '#domain/instant.ts';
import { Money } from '#domain/money.ts';
import { type DecimalRule, Quantity } from '#domain/quantity.ts';
import { Id } from '#domain/resource.ts';
import type { IntegerRule, Rule, TextRule } from '#domain/rule.ts';
import { TaxRate } from '#domain/tax.ts';
import { type Codec, codec, described, named, type Schema, scalar } from './codec.ts';
import { InexactNumber } from './inexact-number.ts';
import { strictObject } from './object-codec.ts';

const checkRule = <A>(value: A, rule: Rule<A>): { readonly value: A } | string =>
  rule.violation(value) ?? { value };

export const identity = <A>(value: A): A => value;

/** Text without the NUL character, which PostgreSQL cannot store. */
const anyText = '^[^\\u0000]*$';

/** A pattern as the document has it. Generators copy it into a string between single quotes, some without an escape. */
const patternOf = ({ source }: RegExp): string => source.replaceAll("'", '\\x27');

const textSchema = ({ minLength, maxLength, pattern }: TextRule): Schema => ({
  type: 'string',
  ...(minLength > 0 && { minLength }),
  maxLength,
  pattern: pattern ? patternOf(pattern) : anyText,
});

/**
 * A string within the limits of the domain's rule. The rest of the rule holds for values that change, which only the domain
 * knows, and a repeated request must find its response whatever rules came since.
 */
export const text = (rule: TextRule): Codec<string, string> =>
  scalar(
    'text',
    textSchema(rule),
    (input) => (typeof input === 'string' ? checkRule(input, rule.limits ?? rule) : 'must be a string'),
    identity,
  );

export const integer = (rule: IntegerRule): Codec<number, number> =>
  scalar(
    'integer',
    {
      type: 'integer',
      format: rule.maximum < 2 ** 31 ? 'int32' : 'int64',
      minimum: rule.minimum,
      maximum: rule.maximum,
    },
    (input) => (typeof input === 'number' ? checkRule(input, rule) : (rule.violation(Number.NaN) ?? '')),
    identity,
  );

export const boolean: Codec<boolean, boolean> = scalar(
  'boolean',
  { type: 'boolean' },
  (input) => (typeof input === 'boolean' ? { value: input } : 'must be true or false'),
  identity,
);

/** A decimal number, which the domain keeps as a whole number of thousandths. */
const decimal = <A extends number>(
  name: string,
  rule: DecimalRule,
  { of, toNumber }: { readonly of: (value: number) => A; readonly toNumber: (value: A) => number },
): Codec<A, number> =>
  scalar(
    name,
    {
      type: 'number',
      ...(rule.isPositive ? { exclusiveMinimum: 0 } : { minimum: rule.minimum }),
      maximum: rule.maximum,
      multipleOf: 10 ** -rule.maxDecimals,
    },
    (input) => {
      if (input instanceof InexactNumber) return inexact(input, rule);
      if (typeof input !== 'number') return 'must be a number';
      return rule.violation(input) ?? { value: of(input) };
    },
    toNumber,
  );

/** What is wrong with a number that a double cannot hold: it is out of bounds, or has too many decimals. */
const inexact = ({ nearest }: InexactNumber, rule: DecimalRule): string => {
  const isOutOfBounds = nearest > rule.maximum || nearest < rule.minimum || Object.is(nearest, -0);
  return (isOutOfBounds ? rule.violation(nearest) : undefined) ?? rule.tooPrecise;
};

export const quantity = (rule: DecimalRule): Codec<Quantity, number> => decimal('quantity', rule, Quantity);

/** In percent. */
export const taxRate: Codec<TaxRate, number> = decimal('tax rate', TaxRate.percent, TaxRate);

/** The example id of this kind of resource. It is the same in every example, so examples refer to each other. */
export const exampleId = (kind: string): string =>
  hash('sha256', kind).replace(
    /^(.{3})(.{3})(.{12}).*$/,
    (_all, b, c, d) => `019ca945-0a00-7${b}-a${c}-${d}`,
  );

/** @param kind the kind of resource, which the type of the id carries */
export const id = <const Kind extends string>(kind: Kind): Codec<Id<Kind>, string> =>
  scalar(
    'id',
    { type: 'string', format: 'uuid', minLength: 36, maxLength: 36, examples: [exampleId(kind)] },
    (input) => {
      const value = typeof input === 'string' ? Id.parse<Id<Kind>>(input) : undefined;
      return value === undefined ? 'must be a UUID' : { value };
    },
    identity,
  );

export const instant: Codec<Instant, string> = scalar(
  'instant',
  { type: 'string', format: 'date-time', maxLength: Instant.maxLength, pattern: Instant.pattern.source },
  (input) => {
    const value = typeof input === 'string' ? Instant.parse(input) : undefined;
    return value === undefined ? 'must be a time in RFC 3339, such as 2026-03-01T12:00:00Z' : { value };
  },
  identity,
);

export const oneOf = <const V extends string>(values: readonly V[]): Codec<V, V> => {
  const { is } = t.keyof(Object.fromEntries(values.map((value) => [value, null])) as Record<V, null>);
  return scalar(
    'one of',
    { type: 'string', enum: values },
    (input) => (is(input) ? { value: input } : `must be one of ${values.join(', ')}`),
    identity,
  );
};

/** The same list, in which a text can be once only. An error is at the text that comes again. */
export const unique = ({ schema, encode, validate }: Codec<readonly string[], readonly string[]>) =>
  codec('unique list', {
    schema: { ...schema, uniqueItems: true },
    encode,
    validate: (input, context) => {
      const result = validate(input, context);
      if (result._tag === 'Left') return result;
      const again = result.right.findIndex((value, index) => result.right.indexOf(value) < index);
      if (again === -1) return result;
      const value = result.right[again];
      const path = t.appendContext(context, `${again}`, t.unknown, value);
      return t.failure(value, path, 'must not be there twice');
    },
  });

export const listOf = <A, Wire>(
  item: Codec<A, Wire>,
  maxItems: number,
  minItems = 0,
): Codec<readonly A[], readonly Wire[]> => {
  const list = t.array(item);
  return codec('list', {
    schema: { type: 'array', items: item.schema, ...(minItems > 0 && { minItems }), maxItems },
    encode: (values) => values.map(item.encode),
    validate: (input, context) => {
      if (!Array.isArray(input)) return t.failure(input, context, 'must be an array');
      if (input.length > maxItems) return t.failure(input, context, `must have at most ${maxItems} items`);
      if (input.length < minItems) return t.failure(input, context, 'must not be empty');
      return list.validate(input, context);
    },
  });
};

/** Not `t.union`, whose errors name the branch: the path of a field would end with its number. */
export const nullable = <A, Wire>(inner: Codec<A, Wire>): Codec<A | null, Wire | null> =>
  codec(`${inner.name} or null`, {
    schema: orNull(inner.schema),
    encode: (value) => (value === null ? null : inner.encode(value)),
    validate: (input, context) => (input === null ? t.success(null) : inner.validate(input, context)),
  });

/** A named schema stays as it is, so that its component is not null where another use of it cannot be. */
const orNull = (schema: Schema): Schema =>
  typeof schema.type === 'string' && schema.enum === undefined && schema.title === undefined
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };

const currencyCode = scalar(
  'currency',
  { type: 'string', enum: Money.currencies },
  (input) => checkRule(typeof input === 'string' ? input : '', Money.currency),
  identity,
);

export const currency = described(named('Currency', currencyCode), 'An ISO 4217 code.', 'EUR');

const countryCode = scalar(
  'country',
  { type: 'string', enum: countries },
  (input) => checkRule(typeof input === 'string' ? input : '', countryRule),
  identity,
);

export const country = described(
  named('Country', countryCode),
  'An ISO 3166-1 alpha-2 code, or `XK` for Kosovo.',
  'AT',
);

const moneyFields = {
  amount: described(integer(Money.amount), 'In the minor unit of the currency: cents, pence, yen.', 450),
  currency,
};

export const money = named('Money', strictObject(moneyFields));

/** Money in a merge patch (RFC 7396), where an absent field stays unchanged. */
export const moneyPatch = strictObject({}, moneyFields);
