import type { Rule, TextRule } from './rule.ts';
import { text } from './text.ts';

const limited = text(1, 2048);

/* For machines that check a value before they send it. No backslash, because generators copy it into strings. */
const httpsPattern = /^[Hh][Tt][Tt][Pp][Ss]:[/][/][^ /?#]+[^ ]*$/;
export const httpPattern = /^[Hh][Tt][Tt][Pp][Ss]?:[/][/][^ /?#]+[^ ]*$/;

/** A parser of URLs drops or replaces these, so the URL as it was given would name another one. */
const rewritten = /[\s\p{Cc}\\]/u;

/** Hosts that only the payer's own machine can reach, as a parser of URLs writes them. */
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The longest name of a host that can be asked for (RFC 1035), without the dot at its end. */
const maxNameLength = 253;

/** A part of a name that can exist (RFC 1123), or that networks use although it should not. */
const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

const noSuchHost =
  'must have a host whose name can exist: each of its parts has 1 to 63 letters, digits and hyphens, and no hyphen at an end';

/** Addresses that no packet is sent to, as a parser of URLs writes them. */
const nowhere: ReadonlySet<string> = new Set(['0.0.0.0', '255.255.255.255', '[::]']);

/** @returns why a URL can never be reached, by the name of its host, its address or its port; undefined for any other */
export const unreachable = ({ hostname, port }: URL): string | undefined => {
  if (port === '0') return 'must have a port from 1 to 65535';
  if (nowhere.has(hostname)) return 'must have the address of a host';
  if (hostname.startsWith('[')) return undefined;
  const name = hostname.replace(/\.$/, '');
  const canExist = name.length <= maxNameLength && name.split('.').every((part) => label.test(part));
  return canExist ? undefined : noSuchHost;
};

/**
 * The rule of a URL. What is stored may be from before the rule of its host.
 * @param hint states what is accepted, with an example
 */
export const urlRule = (
  pattern: RegExp,
  isAccepted: (url: URL) => boolean,
  hint: string,
): TextRule & Required<Pick<TextRule, 'limits'>> => {
  const parse = (value: string): URL | null =>
    pattern.test(value) && !rewritten.test(value) ? URL.parse(value) : null;
  const limits: Rule<string> = {
    violation: (value) => {
      const message = limited.violation(value);
      if (message !== undefined) return message;
      const url = parse(value);
      if (url === null || !isAccepted(url)) return hint;
      return url.username + url.password === '' ? undefined : 'must not have a user name or password';
    },
  };
  const violation = (value: string): string | undefined => {
    const url = parse(value);
    return limits.violation(value) ?? (url === null ? hint : unreachable(url));
  };
  return { minLength: 1, maxLength: 2048, pattern, limits, violation };
};

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
