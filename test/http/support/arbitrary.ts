import fc from 'fast-check';
import type { Schema } from '#adapters/wire/codec.ts';
import { text as textCodec } from '#adapters/wire/codecs.ts';
import { Email } from '#domain/email.ts';
import { imageUrl } from '#domain/urls.ts';
import { webhookUrl } from '#domain/webhooks/url.ts';
import { schemaError } from './schema-error.ts';

/** JSON that matches a schema. @throws when the type of the schema has no generator here */
export const valid = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { type } = schema;
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => valid({ ...schema, type: one })));
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? Number.MAX_SAFE_INTEGER });
    case 'number':
      return decimal(schema);
    case 'array':
      return array(schema);
    case 'object':
      return object(schema);
    case 'string':
      return text(schema);
    default:
      throw new Error(`No values can be generated for the type ${type}: ${JSON.stringify(schema)}`);
  }
};

/** JSON that just fails a schema: with one field too many or too few, too long, or of another type. */
export const broken = (schema: Schema): fc.Arbitrary<unknown> =>
  fc
    .tuple(valid(schema), wrong, fc.nat())
    .map(([body, something, choice]) => {
      if (typeof body !== 'object' || body === null) return something;
      const names = (schema.anyOf ?? [schema]).flatMap(({ properties = {} }) => Object.keys(properties));
      const name = names[choice % names.length] ?? 'anything';
      const { [name]: _, ...others } = body as Record<string, unknown>;
      const bodies = [others, { ...body, [name]: something }, { ...body, not_known: 1 }, [body], something];
      return bodies[choice % bodies.length];
    })
    .filter((body) => schemaError(schema, body) !== undefined);

/** Values of other types and sizes than fields expect. */
const wrong: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    '',
    'x'.repeat(5_001),
    -1,
    0.0001,
    1e21,
    2 ** 53,
    true,
    'EURO',
    '2026-02-30T00:00:00Z',
    '\0',
  ),
);

const decimal = ({ minimum, exclusiveMinimum, maximum = 1_000 }: Schema): fc.Arbitrary<number> => {
  const least = exclusiveMinimum === undefined ? (minimum ?? 0) : exclusiveMinimum + 0.001;
  return fc.integer({ min: Math.ceil(least * 1_000), max: maximum * 1_000 }).map((number) => number / 1_000);
};

const array = ({
  items = {},
  minItems: minLength = 0,
  maxItems: maxLength = 5,
  uniqueItems = false,
}: Schema): fc.Arbitrary<unknown> =>
  (uniqueItems ? fc.uniqueArray : fc.array)(valid(items), { minLength, maxLength });

const object = (schema: Schema): fc.Arbitrary<unknown> => {
  const { properties = {}, required = [], propertyNames, additionalProperties } = schema;
  if (propertyNames && additionalProperties)
    return fc.dictionary(text(propertyNames), valid(additionalProperties), { maxKeys: 5 });
  return fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valid(each)])),
    {
      requiredKeys: [...required],
    },
  );
};

const text = (schema: Schema): fc.Arbitrary<string> => {
  const { format, pattern = '', minLength = 0, maxLength = 100 } = schema;
  if (format === 'uuid')
    return fc.oneof(
      fc.uuid({ version: 7 }),
      fc.uuid().map((id) => id.toUpperCase()),
    );
  if (format === 'date-time') return moment;
  const any = pattern.startsWith('^[^\\x00')
    ? fc.string({ minLength, maxLength: 100 })
    : pattern === '' || pattern === '^[^\\u0000]*$'
      ? withVisibleEnds(minLength, maxLength)
      : pattern === addressPattern
        ? address
        : pattern === imagePattern
          ? image
          : pattern === receiverPattern
            ? receiver
            : fc.stringMatching(new RegExp(pattern), { maxLength });
  return any.filter((one) => schemaError(schema, one) === undefined);
};

/** No schema says which texts may have an invisible end, so none has. */
const withVisibleEnds = (minLength: number, maxLength: number): fc.Arbitrary<string> => {
  const end = fc.constantFrom(...'aZ0-"\'<é語ß🍵');
  const inner = fc.string({ unit: 'grapheme', maxLength: Math.max(0, maxLength - 2) });
  const texts = [end, fc.tuple(end, inner, end).map((parts) => parts.join(''))];
  return fc.oneof(...(minLength === 0 ? [fc.constant(''), ...texts] : texts));
};

/** As the document has it. No arbitrary text can be made by it: its class of all characters outside ASCII is too large. */
const { pattern: addressPattern } = textCodec(Email.given).schema;

/** E-mail addresses. Every second one has a label outside ASCII, which no pattern describes exactly. */
const address = fc
  .tuple(
    fc.stringMatching(Email.stored.pattern ?? /^$/, { maxLength: 200 }),
    fc.constantFrom('', '', '.bücher', '.例え', '.почта', '.faß'),
  )
  .map((parts) => parts.join(''));

const { pattern: imagePattern } = textCodec(imageUrl).schema;

const pathCharacters = [
  ..."abcXYZ0189-._~!$&'()*+,;=:@",
  ...['é', '例', '😀', '%', ' '].map(encodeURIComponent),
];
const urlPart = fc.string({ unit: fc.constantFrom(...pathCharacters), maxLength: 10 });

/** An address with a query, and what may stand behind it. `fc.webUrl` first maps all of Unicode, for two seconds. */
const urlFor = (schemes: readonly string[], end: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...schemes),
      fc.domain({ size: 'small' }),
      fc.array(urlPart, { maxLength: 4 }),
      urlPart,
      end,
    )
    .map(([scheme, host, path, query, rest]) => `${scheme}://${host}/${path.join('/')}?${query}${rest}`);

/** Addresses of images. No pattern says which hosts a parser of URLs accepts. */
const image = urlFor(
  ['https', 'HTTPS'],
  fc.oneof(
    fc.constant(''),
    urlPart.map((part) => `#${part}`),
  ),
);

const { pattern: receiverPattern } = textCodec(webhookUrl).schema;

/** Receivers of webhooks, and where payers return to. All are on this machine: a webhook is sent at once. */
const receiver = urlFor(['https'], fc.constant('')).map((url) => {
  const { pathname, search } = new URL(url);
  return `https://localhost:8443${pathname}${search}`;
});

/** Times of this century, in every notation of RFC 3339. */
const moment = fc
  .record({
    date: fc.date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2099-12-31') }),
    fraction: fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,9}$/)),
    offset: fc.oneof(fc.constantFrom('Z', 'z'), fc.stringMatching(/^[+-](0\d|1[0-3]):[0-5]\d$/)),
  })
  .map(({ date, fraction, offset }) => `${date.toISOString().slice(0, 19)}${fraction}${offset}`);
