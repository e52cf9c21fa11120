import { DomainError, type FieldError } from './errors.ts';

/** The validation rule of a field. */
export interface Rule<T> {
  /** @returns what is wrong with the value, as a message for the client; undefined when it is valid */
  violation(value: T): string | undefined;
}

export interface TextRule extends Rule<string> {
  /** Lengths in code points, inclusive. */
  readonly minLength: number;
  readonly maxLength: number;
  /** Matches the whole text, where the format is restricted. */
  readonly pattern?: RegExp;
}

/** Text that every store returns unchanged: no NUL, no unpaired surrogate. */
export const text = (minLength: 0 | 1, maxLength: number): TextRule => ({
  minLength,
  maxLength,
  violation: (value) => {
    if (value.includes('\0')) return 'must not contain the NUL character';
    if (!value.isWellFormed()) return 'must be well-formed Unicode';
    if (value.length < minLength) return 'must not be empty';
    return isLongerThan(maxLength, value) ? `must have at most ${maxLength} characters` : undefined;
  },
});

/** A code point is one or two UTF-16 units, so most texts need no count of their code points. */
const isLongerThan = (maxLength: number, value: string): boolean =>
  value.length > maxLength && (value.length > 2 * maxLength || [...value].length > maxLength);

export interface IntegerRule extends Rule<number> {
  readonly minimum: number;
  readonly maximum: number;
}

/** A whole number within inclusive bounds. Negative zero is invalid. */
export const integer = (minimum: number, maximum: number): IntegerRule => ({
  minimum,
  maximum,
  violation: (value) =>
    Number.isSafeInteger(value) && !Object.is(value, -0) && value >= minimum && value <= maximum
      ? undefined
      : `must be a whole number from ${minimum} to ${maximum}`,
});

/**
 * Validates fields by their rules; null satisfies every rule.
 * @throws DomainError 'validation' with every invalid field
 */
export const requireValid = <T extends object>(
  rules: { readonly [K in keyof T]?: Rule<NonNullable<T[K]>> },
  fields: T,
): T => {
  const errors: FieldError[] = [];
  for (const field of Object.keys(fields) as (keyof T & string)[]) {
    const value = fields[field];
    const message = value === null || value === undefined ? undefined : rules[field]?.violation(value);
    if (message !== undefined) errors.push({ field, message });
  }
  if (errors.length > 0) throw new DomainError('validation', 'Some fields are not valid.', errors);
  return fields;
};
