import type { Rule, TextRule } from './rule.ts';

/** Limits of a text that every store returns unchanged: no NUL, no unpaired surrogate, a length in code points. */
const limits = (minLength: number, maxLength: number): Rule<string> => ({
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

/** Text of any kind. With a minimum of 1, something in it must be visible. */
export const text = (minLength: 0 | 1, maxLength: number): TextRule => {
  const limited = limits(minLength, maxLength);
  return {
    minLength,
    maxLength,
    limits: limited,
    violation: (value) => limited.violation(value) ?? (minLength > 0 ? nothingVisible(value) : undefined),
  };
};

/** Text in one line that people read and compare, such as a name: neither end is invisible. */
export const label = (minLength: 0 | 1, maxLength: number): TextRule => {
  const rule = text(minLength, maxLength);
  return { ...rule, violation: (value) => rule.violation(value) ?? invisibleEnd(value) };
};

/** A label that programs look up. Texts that are displayed equally are equal: it is kept in NFC (Unicode Annex 15). */
export const identifier = (minLength: 0 | 1, maxLength: number): TextRule => {
  const rule = label(minLength, maxLength);
  return {
    ...rule,
    normalize: (value) => value.normalize('NFC'),
    // A few characters get longer in NFC, so the limit holds for both forms.
    violation: (value) => rule.violation(value) ?? rule.violation(value.normalize('NFC')),
  };
};

/**
 * Shows nothing: white space, control characters, and what Unicode lets a renderer ignore, such as zero-width characters
 * and the byte-order mark. U+2800 is an empty Braille cell, and U+FFF9 to U+FFFB are annotation marks.
 */
const invisible = String.raw`\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb`;

const visibleCharacter = new RegExp(`[^${invisible}]`, 'v');
const invisibleStart = new RegExp(`^[${invisible}]`, 'v');
const invisibleStarts = new RegExp(`^[${invisible}]+`, 'v');
const invisibleTail = new RegExp(`[${invisible}]+$`, 'v');

/** Changes the character before it, so it may end a text: the variation selectors of emoji and of ideographs, the tags of flags. */
const attached = /^[\p{Variation_Selector}\u{e0020}-\u{e007f}]$/u;

const nothingVisible = (value: string): string | undefined =>
  visibleCharacter.test(value) ? undefined : 'must have a character that is visible';

/** @returns what is wrong with an end that shows nothing, as a message for the client */
export const invisibleEnd = (value: string): string | undefined => {
  const [start] = invisibleStart.exec(value) ?? [];
  if (start !== undefined) return `must not begin with ${nameOf(start)}`;
  const [end] = unattached(value);
  return end === undefined ? undefined : `must not end with ${nameOf(end)}`;
};

/** Longer texts are cut first, so that the patterns cost little time. */
const maxTrimmedLength = 2_000;

/**
 * Makes a label of a text from elsewhere: without NUL, unpaired surrogates and invisible ends, and cut.
 * @param maxLength in code points
 * @returns an empty text when nothing in it is visible
 */
export const asLabel = (value: string, maxLength: number): string => {
  const whole = withoutInvisibleEnds(value.slice(0, maxTrimmedLength).replaceAll('\0', '').toWellFormed());
  return withoutInvisibleEnds([...whole].slice(0, maxLength).join(''));
};

const withoutInvisibleEnds = (value: string): string => {
  const rest = value.replace(invisibleStarts, '');
  const tail = invisibleTail.exec(rest)?.[0] ?? '';
  const unneeded = unattached(rest);
  const kept = [...tail].filter((character) => !unneeded.includes(character));
  return rest.slice(0, rest.length - tail.length) + kept.join('');
};

/** The invisible characters at the end that no character before them needs. No selector belongs to a character of ASCII. */
const unattached = (value: string): readonly string[] => {
  const tail = [...(invisibleTail.exec(value)?.[0] ?? '')];
  const before = value.charCodeAt(value.length - tail.join('').length - 1);
  return before > asciiMax ? tail.filter((character) => !attached.test(character)) : tail;
};

const asciiMax = 0x7f;

/** In words that an error message can show, because the character itself shows nothing. */
const nameOf = (character: string): string => {
  if (character === ' ') return 'a space';
  const codePoint = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `${/\p{White_Space}/u.test(character) ? 'white space' : 'an invisible character'} (U+${codePoint})`;
};
