import fc from 'fast-check';
import type { Schema } from '#adapters/http/schema.ts';

/** JSON that a schema allows for. */
export const valid = (schema: Schema): fc.Arbitrary<unknown> => {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { type } = schema;
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => valid({ ...schema, type: one })));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1_000 });
    case 'number':
      return decimal(schema);
    case 'array':
      return fc.uniqueArray(valid(schema.items ?? {}), { maxLength: 5 });
    case 'object':
      return object(schema);
    default:
      return text(schema);
  }
};

/** JSON that is almost what the schema allows for: a field too many or too few, or of another kind. */
export const broken = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.tuple(valid(schema), fc.anything({ maxDepth: 1 }), fc.nat()).map(([body, something, choice]) => {
    if (typeof body !== 'object' || body === null) return something;
    const names = Object.keys(schema.properties ?? {});
    const name = names[choice % names.length] ?? 'anything';
    const { [name]: _, ...others } = body as Record<string, unknown>;
    return [{ ...others }, { ...body, [name]: something }, { ...body, not_known: 1 }, [body], something][
      choice % 5
    ];
  });

const decimal = ({ minimum, exclusiveMinimum, maximum = 1_000 }: Schema): fc.Arbitrary<number> => {
  const least = exclusiveMinimum === undefined ? (minimum ?? 0) : exclusiveMinimum + 0.001;
  return fc.integer({ min: Math.ceil(least * 1_000), max: maximum * 1_000 }).map((number) => number / 1_000);
};

const object = ({ properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> =>
  fc.record(Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, valid(each)])), {
    requiredKeys: [...required],
  });

const text = ({ format, pattern = '', minLength = 0, maxLength = 100 }: Schema): fc.Arbitrary<string> => {
  if (format === 'uuid') return fc.uuid({ version: 7 });
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString());
  const isFree = pattern === '' || pattern === '^[^\\u0000]*$';
  const any = isFree
    ? fc.string({ unit: 'grapheme', maxLength: 40 })
    : fc.stringMatching(new RegExp(pattern));
  return any.filter((one) => {
    const length = [...one].length;
    return length >= minLength && length <= maxLength && !one.includes('\0');
  });
};
