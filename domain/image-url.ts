import type { TextRule } from './rule.ts';
import { text } from './text.ts';

const limited = text(1, 2048);

/** For machines that check a value before they send it. No backslash, because generators copy it into strings. */
const pattern = /^[Hh][Tt][Tt][Pp][Ss]:[/][/][^ /?#]+[^ ]*$/;

/** A parser of URLs drops or replaces these, so the URL as it is kept would name another one. */
const rewritten = /[\s\p{Cc}\\]/u;

/** The address of an image, for pages of the shop. Portico keeps it as it is given, and never fetches it. */
export const imageUrl: TextRule = {
  minLength: 1,
  maxLength: 2048,
  pattern,
  violation: (value) => {
    const message = limited.violation(value);
    if (message !== undefined) return message;
    const url = pattern.test(value) && !rewritten.test(value) ? URL.parse(value) : null;
    if (url === null) return 'must be an https URL, such as https://example.com/tea.jpg';
    return url.username + url.password === '' ? undefined : 'must not have a user name or password';
  },
};
