import type { TextRule } from './rule.ts';
import { text } from './text.ts';

const limited = text(1, 2048);

/* For machines that check a value before they send it. No backslash, because generators copy it into strings. */
const httpsPattern = /^[Hh][Tt][Tt][Pp][Ss]:[/][/][^ /?#]+[^ ]*$/;
export const httpPattern = /^[Hh][Tt][Tt][Pp][Ss]?:[/][/][^ /?#]+[^ ]*$/;

/** A parser of URLs drops or replaces these, so the URL as it was given would name another one. */
const rewritten = /[\s\p{Cc}\\]/u;

/** Hosts that only the payer's own machine can reach, as a parser of URLs writes them. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** @param hint says what is accepted, with an example */
export const urlRule = (pattern: RegExp, isAccepted: (url: URL) => boolean, hint: string): TextRule => ({
  minLength: 1,
  maxLength: 2048,
  pattern,
  violation: (value) => {
    const message = limited.violation(value);
    if (message !== undefined) return message;
    const url = pattern.test(value) && !rewritten.test(value) ? URL.parse(value) : null;
    if (url === null || !isAccepted(url)) return hint;
    return url.username + url.password === '' ? undefined : 'must not have a user name or password';
  },
});

/** The address of an image, for pages of the shop. Portico keeps it as it is given, and never fetches it. */
export const imageUrl: TextRule = urlRule(
  httpsPattern,
  () => true,
  'must be an https URL, such as https://example.com/tea.jpg',
);

/** Where a payer returns to after a redirect of the provider: https, or http on a loopback address for development. */
export const returnUrl: TextRule = urlRule(
  httpPattern,
  ({ protocol, hostname }) => protocol === 'https:' || loopback.test(hostname),
  'must be an https URL, such as https://example.com/paid, or an http URL on a loopback address',
);
