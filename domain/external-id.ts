import type { TextRule } from './rule.ts';

/** What another system calls a resource. Visible ASCII, so that it needs no normal form. Compared code point by code point. */
export const externalId: TextRule = {
  minLength: 1,
  maxLength: 128,
  pattern: /^[\x21-\x7e]{1,128}$/,
  violation: (value) =>
    /^[\x21-\x7e]{1,128}$/.test(value)
      ? undefined
      : 'must have 1 to 128 visible ASCII characters, without spaces',
};
