import type { TextRule } from './rule.ts';

const pattern = /^[a-z0-9-]{1,40}$/;

/** A word by which products are grouped and found. It can stand in an address as it is. */
export const tag: TextRule = {
  minLength: 1,
  maxLength: 40,
  pattern,
  violation: (value) =>
    pattern.test(value) ? undefined : 'must have 1 to 40 of the letters a to z, digits and hyphens',
};
