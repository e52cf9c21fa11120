import { DomainError, type FieldFault } from './errors.ts';

/** What a field may hold. */
export interface Rule<T> {
  /** What is wrong with the value, in a person's words; undefined when nothing is. */
  fault(value: T): string | undefined;
}

export interface TextRule extends Rule<string> {
  /** Lengths in code points, both included. */
  readonly least: number;
  readonly most: number;
  /** What all of it looks like, where not every text will do. */
  readonly form?: RegExp;
}

/** Text that every store gives back as it was sent: no NUL, no half of a surrogate pair. */
export const text = (least: 0 | 1, most: number): TextRule => ({
  least,
  most,
  fault: (value) => {
    if (value.includes('\0')) return 'must not contain the NUL character';
    if (!value.isWellFormed()) return 'must be well-formed Unicode';
    if (value.length < least) return 'must not be empty';
    return longerThan(most, value) ? `must have at most ${most} characters` : undefined;
  },
});

/** A code point is one or two UTF-16 units, so most texts need no counting. */
const longerThan = (most: number, value: string): boolean =>
  value.length > most && (value.length > 2 * most || [...value].length > most);

export interface IntegerRule extends Rule<number> {
  readonly least: number;
  readonly most: number;
}

/** A whole number between two bounds, both included. Negative zero is none. */
export const integer = (least: number, most: number): IntegerRule => ({
  least,
  most,
  fault: (value) =>
    Number.isSafeInteger(value) && !Object.is(value, -0) && value >= least && value <= most
      ? undefined
      : `must be a whole number from ${least} to ${most}`,
});

/** @throws DomainError 'validation' with every field that breaks its rule; null is no value and breaks none */
export const keep = <T extends object>(
  rules: { readonly [K in keyof T]?: Rule<NonNullable<T[K]>> },
  fields: T,
): T => {
  const faults: FieldFault[] = [];
  for (const field of Object.keys(fields) as (keyof T & string)[]) {
    const value = fields[field];
    const message = value === null || value === undefined ? undefined : rules[field]?.fault(value);
    if (message !== undefined) faults.push({ field, message });
  }
  if (faults.length > 0) throw new DomainError('validation', 'Some fields are not valid.', faults);
  return fields;
};
