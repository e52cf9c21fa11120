import { DecodeError } from './decode.ts';
import { isExact } from './exact-number.ts';

/** Deeper than any body that means something. */
const maxDepth = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON as strictly as a contract needs: valid UTF-8, no name twice in one object, no bottomless nesting. A number
 * that would have to be rounded becomes NaN, which no field takes: rounding is not ours to do.
 * @throws DecodeError 'malformed'
 */
export const parseJson = (bytes: Uint8Array): unknown => {
  const text = decode(bytes);
  const { names, isSuspicious } = scan(text);
  const value = parse(text, isSuspicious);
  if (countNames(value) !== names)
    throw new DecodeError('malformed', 'The body has a name twice in one object.');
  return value;
};

/** The same text for every way of writing the same value: names sorted, white space and escapes gone. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) => (isObject(inner) ? sorted(inner) : inner));

const decode = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new DecodeError('malformed', 'The body is not valid UTF-8.');
  }
};

/** Numbers of so many characters may have more digits than a double holds. */
const minSuspiciousDigits = 16;

const parse = (text: string, isSuspicious: boolean): unknown => {
  try {
    return isSuspicious ? JSON.parse(text, rejectRounding) : JSON.parse(text);
  } catch {
    throw new DecodeError('malformed', 'The body is not valid JSON.');
  }
};

const rejectRounding = (
  _name: string,
  value: unknown,
  { source }: { readonly source?: string } = {},
): unknown =>
  typeof value !== 'number' || source === undefined || isExact(source, value) ? value : Number.NaN;

interface Scan {
  readonly names: number;
  /** Whether a number may have more digits than a double holds, or a strange exponent. */
  readonly isSuspicious: boolean;
}

/** Counts the names in what may be JSON: outside of strings, each colon follows one. Text of no sense passes. */
const scan = (text: string): Scan => {
  let names = 0;
  let depth = 0;
  let digits = 0;
  let isSuspicious = false;
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place] ?? '';
    if ((character >= '0' && character <= '9') || character === '.') {
      digits += 1;
      if (digits >= minSuspiciousDigits) isSuspicious = true;
      continue;
    }
    if (digits > 0 && (character === 'e' || character === 'E')) isSuspicious = true;
    digits = 0;
    if (character === '"') place = endOfString(text, place);
    else if (character === ':') names += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > maxDepth) throw new DecodeError('malformed', `The body is nested deeper than ${maxDepth}.`);
    }
  }
  return { names, isSuspicious };
};

const endOfString = (text: string, start: number): number => {
  let place = start + 1;
  while (place < text.length && text[place] !== '"') place += text[place] === '\\' ? 2 : 1;
  return place;
};

/** A name that stood twice in the text is there once in the value. */
const countNames = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const values = Object.values(value);
  const inner = values.reduce<number>((sum, one) => sum + countNames(one), 0);
  return Array.isArray(value) ? inner : inner + values.length;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
