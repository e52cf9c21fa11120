import type { TextRule } from './rule.ts';
import { invisibleEnd } from './text.ts';

const local = "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+";
const asciiLabel = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const asciiDomain = String.raw`${asciiLabel}(?:\.${asciiLabel})*`;

/** Letters, digits, dots, hyphens and at least one character outside ASCII. */
const unicodeDomain = String.raw`[A-Za-z0-9.-]*[^\u0000-\u007f](?:[A-Za-z0-9.-]|[^\u0000-\u007f])*`;

/** What browsers accept in `<input type="email">` (WHATWG HTML, valid e-mail address). */
const storedPattern = new RegExp(`^${local}@${asciiDomain}$`);
const givenPattern = new RegExp(`^${local}@(?:${asciiDomain}|${unicodeDomain})$`);

/** RFC 5321 section 4.5.3.1.3: a path has at most 256 characters, including its angle brackets. */
const maxLength = 254;

const outsideAscii = /\P{ASCII}/u;

const noAddress = 'must be an e-mail address';

/** An e-mail address as it is stored and shown. */
const stored: TextRule = {
  minLength: 3,
  maxLength,
  pattern: storedPattern,
  violation: (value) => (value.length <= maxLength && storedPattern.test(value) ? undefined : noAddress),
};

/** An e-mail address as clients send it: its domain may have characters outside ASCII. */
const given: TextRule = {
  minLength: 3,
  maxLength,
  pattern: givenPattern,
  normalize: (value) => Email.normalize(value),
  violation: (value) => {
    const at = value.lastIndexOf('@');
    if (at > 0 && outsideAscii.test(value.slice(0, at)))
      return 'must have only ASCII characters before the @';
    if (value.length > maxLength || !givenPattern.test(composeDomain(value))) return noAddress;
    // UTS 46 would drop it without a word.
    const end = invisibleEnd(value);
    if (end !== undefined) return end;
    return stored.violation(Email.normalize(value)) && `${noAddress} whose domain has an ASCII form (UTS 46)`;
  },
};

export const Email = {
  given,
  stored,

  /** The form in which an address is stored: in lower case, with its domain in ASCII. Other texts are returned unchanged. */
  normalize: (value: string): string => {
    const composed = composeDomain(value);
    if (!givenPattern.test(composed)) return value;
    if (!outsideAscii.test(composed)) return composed.toLowerCase();
    const start = composed.lastIndexOf('@') + 1;
    return (composed.slice(0, start) + toAscii(composed.slice(start))).toLowerCase();
  },
};

/** With its domain in NFC: a letter and its mark are one, even where the letter alone could not be there, as `<` with U+0338. */
const composeDomain = (value: string): string => {
  const start = value.lastIndexOf('@') + 1;
  return value.slice(0, start) + value.slice(start).normalize('NFC');
};

/**
 * The ASCII form of a domain (UTS 46), by the host parser of the URL standard.
 * @param domain in NFC, because UTS 46 maps some letters before their marks are joined to them
 * @returns the domain itself when it has no such form
 */
const toAscii = (domain: string): string => {
  if (hasHyphenAtAnEnd(domain)) return domain;
  // The suffix keeps a domain of numbers from being parsed as an IPv4 address.
  const url = URL.parse(`http://${domain}${suffix}`);
  return url === null ? domain : url.hostname.slice(0, -suffix.length);
};

const suffix = '.a';

/** No label may begin or end with a hyphen (RFC 5891 section 4.2.3.1), which the host parser of the URL standard lets pass. */
const hasHyphenAtAnEnd = (domain: string): boolean =>
  /(?:^|[.\u3002])-|-(?:[.\u3002]|$)/.test(
    domain.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC'),
  );
