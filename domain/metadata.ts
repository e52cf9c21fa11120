import { invalidField } from './errors.ts';
import type { Rule, TextRule } from './rule.ts';
import { text } from './text.ts';

/** What other systems keep at a resource: texts by name. Portico stores them and never reads them. */
export type Metadata = Readonly<Record<string, string>>;

/** A JSON merge patch of metadata (RFC 7396): null removes a name. */
export type MetadataPatch = Readonly<Record<string, string | null>>;

const maxNames = 50;
const maxBytes = 8 * 1024;
const namePattern = /^[A-Za-z0-9_.-]{1,40}$/;

/** Names that a program may mistake for members of its own objects. */
const reservedNames: readonly string[] = ['__proto__', 'constructor', 'prototype'];

const name: TextRule = {
  minLength: 1,
  maxLength: 40,
  pattern: namePattern,
  violation: (given) =>
    namePattern.test(given) && !reservedNames.includes(given)
      ? undefined
      : 'must have a name of 1 to 40 letters, digits, dots, hyphens and underscores, other than __proto__, constructor and prototype',
};

const value = text(0, 500);

/** The rule for metadata as a whole, whose names and values satisfy the rules of their own. */
const whole: Rule<Metadata> = {
  violation: (metadata) => {
    if (Object.keys(metadata).length > maxNames) return `must have at most ${maxNames} names`;
    const bytes = new TextEncoder().encode(JSON.stringify(metadata)).length;
    return bytes > maxBytes ? `must have at most ${maxBytes} bytes as JSON in UTF-8` : undefined;
  },
};

/** The rule for metadata with their names and values. */
const rule: Rule<Metadata> = {
  violation: (metadata) => {
    const [first] = Object.entries(metadata).flatMap(
      ([key, one]) => name.violation(key) ?? value.violation(one) ?? [],
    );
    return first ?? whole.violation(metadata);
  },
};

const requireValidMetadata = (metadata: Metadata): Metadata => {
  const message = rule.violation(metadata);
  if (message !== undefined) throw invalidField('metadata', message);
  return metadata;
};

const patched = (stored: Metadata, patch: MetadataPatch): Metadata => {
  const merged = Object.entries({ ...stored, ...patch });
  return Object.fromEntries(merged.filter((entry): entry is [string, string] => entry[1] !== null));
};

export const Metadata = {
  none: {} as Metadata,

  maxNames,
  reservedNames,
  name,
  value,
  whole,
  rule,

  /** @throws DomainError 'validation' on `metadata` */
  requireValid: requireValidMetadata,

  /**
   * Merges a patch name by name. New names come last.
   * @throws DomainError 'validation' on `metadata` when the result is not valid
   */
  merge: (stored: Metadata, patch: MetadataPatch): Metadata => requireValidMetadata(patched(stored, patch)),

  /** Merges like `merge`. The rule of the whole resource checks the result. */
  patched,
};
