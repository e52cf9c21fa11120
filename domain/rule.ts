import { type FieldError, invalidFields } from './errors.ts';

/** The validation rule of a field. */
export interface Rule<T> {
  /**
   * @param stored the value that it replaces
   * @returns what is wrong with the value, as a message for the client; undefined when it is valid
   */
  violation(value: T, stored?: T): string | undefined;
  /** The form in which a valid value is kept; without this, as it is given. */
  normalize?(value: T): T;
}

export interface TextRule extends Rule<string> {
  /** Lengths in code points, inclusive. */
  readonly minLength: number;
  readonly maxLength: number;
  /** Matches the whole text, where the format is restricted. */
  readonly pattern?: RegExp;
  /** What all stored values satisfy, also those from before the rest of the rule. Without this, the whole rule. */
  readonly limits?: Rule<string>;
}

export interface IntegerRule extends Rule<number> {
  readonly minimum: number;
  readonly maximum: number;
}

/** JSON can express it, and no store keeps it. */
export const negativeZero = 'must be 0 without a sign';

/** A whole number within inclusive bounds. Negative zero is invalid. */
export const integer = (minimum: number, maximum: number): IntegerRule => ({
  minimum,
  maximum,
  violation: (value) => {
    if (minimum <= 0 && Object.is(value, -0)) return negativeZero;
    return Number.isSafeInteger(value) && value >= minimum && value <= maximum
      ? undefined
      : `must be a whole number from ${minimum} to ${maximum}`;
  },
});

/**
 * The rule for a list whose items have a rule of their own.
 * @param areUnique whether an item can be there once only
 * @param keepsStored whether an item that was there before the rule may stay beside new ones
 */
export const listRule = <T>(
  item: Rule<T>,
  maxItems: number,
  { areUnique = false, keepsStored = false } = {},
): Rule<readonly T[]> => ({
  violation: (items, stored = []) => {
    if (items.length > maxItems) return `must have at most ${maxItems} items`;
    if (areUnique && new Set(items).size < items.length) return 'must not have an item twice';
    for (const [index, one] of items.entries()) {
      const message = keepsStored && stored.includes(one) ? undefined : item.violation(one);
      if (message !== undefined) return items.length === 1 ? message : `${message} (item ${index + 1})`;
    }
    return undefined;
  },
});

type Rules<T> = {
  readonly [K in keyof T]?: Pick<Rule<NonNullable<T[K]>>, 'violation'> & {
    // A field that is always null has a rule for no value at all.
    normalize?(value: NonNullable<T[K]>): unknown;
  };
};

/**
 * Validates fields by their rules; null satisfies every rule.
 * @param stored the values that they replace
 * @returns the fields as they are kept
 * @throws DomainError 'validation' with every invalid field
 */
export const requireValid = <T extends object>(rules: Rules<T>, fields: T, stored: Partial<T> = {}): T => {
  const errors = violations(rules, fields, stored);
  if (errors.length > 0) throw invalidFields(errors);
  return normalized(rules, fields);
};

/**
 * Validates the fields that differ from the stored ones. A stored value from before a rule can be sent back.
 * @returns all fields as they are kept
 * @throws DomainError 'validation' with every invalid field
 */
export const requireValidChanges = <T extends object>(rules: Rules<T>, stored: Partial<T>, fields: T): T => {
  const different = Object.entries(fields).filter(
    ([field, value]) => !isSame(value, stored[field as keyof T]),
  );
  return { ...fields, ...requireValid(rules, Object.fromEntries(different) as T, stored) };
};

/** Whether two fields have the same value: lists and objects by what is in them, whatever the order of names. */
export const isSame = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === others.length &&
    names.every(
      (name) => Object.hasOwn(other, name) && isSame(one[name as keyof object], other[name as keyof object]),
    )
  );
};

/** Lists the fields that break their rules, in the order of the rules. */
export const violations = <T extends object>(
  rules: Rules<T>,
  fields: T,
  stored: Partial<T> = {},
): readonly FieldError[] => {
  const errors: FieldError[] = [];
  for (const field of Object.keys(rules) as (keyof T & string)[]) {
    const value = fields[field];
    const before = stored[field] ?? undefined;
    const message =
      value === null || value === undefined ? undefined : rules[field]?.violation(value, before);
    if (message !== undefined) errors.push({ field, message });
  }
  return errors;
};

/** Lists the stored fields that the rules would reject or change today. */
export const outdated = <T extends object>(rules: Rules<T>, stored: T): readonly FieldError[] => {
  const errors = violations(rules, stored);
  const kept = normalized(rules, stored);
  const changed = (Object.keys(rules) as (keyof T & string)[]).filter(
    (field) => kept[field] !== stored[field] && !errors.some((error) => error.field === field),
  );
  return [...errors, ...changed.map((field) => ({ field, message: 'is not in its normal form' }))];
};

const normalized = <T extends object>(rules: Rules<T>, fields: T): T => {
  let result = fields;
  for (const field of Object.keys(rules) as (keyof T & string)[]) {
    const value = fields[field];
    if (value === null || value === undefined) continue;
    const kept = rules[field]?.normalize?.(value) ?? value;
    if (kept !== value) result = { ...result, [field]: kept };
  }
  return result;
};
