/** One field: how it is called, and how it is written from the whole, or from the value that the whole has under a name. */
export type Written<T> =
  | { readonly key: string; readonly derive: (whole: T) => unknown }
  | { readonly key: string; readonly field: string; readonly encode: (value: never) => unknown };

/**
 * Writes an object with these fields, in their order. It is compiled to one object literal: to fill an object field by field
 * took 38 µs for a hundred products instead of 8. The names are the code's own, nobody else's.
 */
export const writer = <T>(
  fields: readonly Written<T>[],
): ((whole: T) => Readonly<Record<string, unknown>>) => {
  const functions = fields.map((field) => ('derive' in field ? field.derive : field.encode));
  const literal = fields.map((field, place) => {
    const given = 'derive' in field ? 'whole' : `whole[${JSON.stringify(field.field)}]`;
    return `${JSON.stringify(field.key)}: functions[${place}](${given})`;
  });
  return new Function('functions', `return (whole) => ({ ${literal.join(', ')} });`)(functions);
};
