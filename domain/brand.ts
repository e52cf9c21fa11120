/**
 * Makes `instanceof` recognise instances of the same class from another copy of Portico. An adapter from outside may bring
 * its own copy, whose classes are other objects; its errors must still become the same statuses and retries.
 *
 * Call it in a static block of the class. A subclass without a brand of its own keeps the usual `instanceof`.
 * @param name the same in every copy, for ever
 */
export const brand = (type: { readonly prototype: object }, name: string): void => {
  const mark = Symbol.for(`portico.${name}`);
  Object.defineProperty(type.prototype, mark, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== type) return ordinaryHasInstance.call(this, value);
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
};

const ordinaryHasInstance = Function.prototype[Symbol.hasInstance] as (
  this: unknown,
  value: unknown,
) => boolean;
