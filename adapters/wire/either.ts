import * as t from 'io-ts';
import { type Codec, codec, type SnakeCase, snakeCase } from './codec.ts';
import { isObject } from './json.ts';

/**
 * A codec for an object in one of two forms. An error names the field, and never the form.
 * @param mark the name in JSON of the field that only the second form has
 * @param excluded the names in JSON of the fields that only the first form has. With one of them, `mark` is at fault.
 */
export const either = <A extends object, AWire, B extends object, BWire>(
  first: Codec<A, AWire>,
  second: Codec<B, BWire>,
  mark: SnakeCase<string & keyof B>,
  excluded: readonly string[],
): Codec<A | B, AWire | BWire> =>
  codec(`${first.name} or ${second.name}`, {
    schema: { anyOf: [first.schema, second.schema] },
    encode: (value) =>
      Object.keys(value).some((name) => snakeCase(name) === mark)
        ? second.encode(value as B)
        : first.encode(value as A),
    validate: (input, context) => {
      if (!isObject(input) || !Object.hasOwn(input, mark)) return first.validate(input, context);
      const clashing = excluded.filter((name) => Object.hasOwn(input, name));
      if (clashing.length === 0) return second.validate(input, context);
      const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !clashing.includes(name)));
      const result = second.validate(rest, context);
      const clash = {
        value: input[mark],
        context: t.appendContext(context, mark, second, input[mark]),
        message: `must not be sent together with ${clashing.join(' and ')}`,
      };
      return t.failures([clash, ...(result._tag === 'Left' ? result.left : [])]);
    },
  });
