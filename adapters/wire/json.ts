import type * as t from 'io-ts';
import type { FieldError } from '#domain/errors.ts';
import type { Decoder } from './codec.ts';
import { InexactNumber } from './inexact-number.ts';

/**
 * - `malformed`: the bytes are not JSON as `parseJson` accepts it
 * - `invalid-fields`: the JSON does not match its codec
 */
export type DecodeErrorKind = 'malformed' | 'invalid-fields';

/** Input from outside that cannot be decoded. */
export class DecodeError extends Error {
  readonly kind: DecodeErrorKind;
  /** The invalid fields, by the names that the input gives them. Empty when the input as a whole is wrong. */
  readonly fieldErrors: readonly FieldError[];

  constructor(kind: DecodeErrorKind, message: string, fieldErrors: readonly FieldError[] = []) {
    // No log prints the stack of an input error, and capturing it costs more than the rest of the rejection.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'DecodeError';
    this.kind = kind;
    this.fieldErrors = fieldErrors;
  }
}

export const invalidFields = (fieldErrors: readonly FieldError[]): DecodeError =>
  new DecodeError('invalid-fields', 'Some fields are not valid.', fieldErrors);

/**
 * Decodes parsed input. This is the one place where io-ts's Either becomes an exception.
 * @throws DecodeError 'invalid-fields' with every invalid field; nested fields are dotted, as in `price.amount`
 */
export const decode = <A>(codec: Decoder<A>, input: unknown): A => {
  const result = codec.decode(input);
  if (result._tag === 'Right') return result.right;
  const whole = result.left.find(({ context }) => context.length === 1);
  if (whole) throw new DecodeError('invalid-fields', `The body ${whole.message ?? 'is not valid'}.`);
  throw invalidFields(result.left.map(fieldErrorOf));
};

/** The first entry of an io-ts context is the whole input, which has no field name. */
const fieldErrorOf = ({ context, message }: t.ValidationError): FieldError => ({
  field: context
    .slice(1)
    .map(({ key }) => key)
    .join('.'),
  message: message ?? 'is not valid',
});

/** Levels of nested objects and arrays. No body of the API comes near it. */
const maxDepth = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON strictly: it rejects invalid UTF-8, duplicate names in an object and deep nesting. A number that a double cannot
 * hold exactly becomes an `InexactNumber`, which every codec rejects, so that no amount is rounded silently.
 * @throws DecodeError 'malformed'
 */
export const parseJson = (bytes: Uint8Array): unknown => {
  const text = decodeUtf8(bytes);
  const { names, isSuspicious } = scan(text);
  const value = parse(text, isSuspicious);
  if (countNames(value) !== names)
    throw new DecodeError('malformed', 'The body has a name twice in one object.');
  return value;
};

/** One spelling for equal values, whatever their order of names, white space and escapes. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) => (isObject(inner) ? sorted(inner) : inner));

const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new DecodeError('malformed', 'The body is not valid UTF-8.');
  }
};

/** A double holds every decimal number of fewer digits exactly. */
const minSuspiciousDigits = 16;

const parse = (text: string, isSuspicious: boolean): unknown => {
  try {
    return isSuspicious ? JSON.parse(text, rejectRounding) : JSON.parse(text);
  } catch {
    throw new DecodeError('malformed', 'The body is not valid JSON.');
  }
};

/** A reviver for JSON.parse. */
const rejectRounding = (
  _name: string,
  value: unknown,
  { source }: { readonly source?: string } = {},
): unknown =>
  typeof value !== 'number' || source === undefined || isExact(source, value)
    ? value
    : new InexactNumber(value);

interface Scan {
  /** The names in all objects, duplicates included. */
  readonly names: number;
  /** Whether a number has an exponent, or more digits than a double may hold. */
  readonly isSuspicious: boolean;
}

/** Scans text before it is parsed. Outside of strings, one colon follows each name. Invalid JSON passes here. */
const scan = (text: string): Scan => {
  let names = 0;
  let depth = 0;
  let digits = 0;
  let isSuspicious = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if ((character >= '0' && character <= '9') || character === '.') {
      digits += 1;
      if (digits >= minSuspiciousDigits) isSuspicious = true;
      continue;
    }
    if (digits > 0 && (character === 'e' || character === 'E')) isSuspicious = true;
    digits = 0;
    if (character === '"') index = endOfString(text, index);
    else if (character === ':') names += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > maxDepth)
        throw new DecodeError('malformed', `The body is nested deeper than ${maxDepth} levels.`);
    }
  }
  return { names, isSuspicious };
};

const endOfString = (text: string, start: number): number => {
  let index = start + 1;
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index;
};

/** The names in all objects, where a duplicate name counts once. */
const countNames = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  const values = Object.values(value);
  const inner = values.reduce<number>((sum, one) => sum + countNames(one), 0);
  return Array.isArray(value) ? inner : inner + values.length;
};

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof InexactNumber);

const sorted = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));

const numberPattern = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** Whether a number has exactly the value of its text, without rounding to the nearest double. */
export const isExact = (text: string, value: number): boolean => {
  const digits = significantDigits(text);
  return digits !== undefined && digits === significantDigits(String(value));
};

/** Significant digits and power of ten: both `-120.50e3` and `-1.205E+5` are `1205e2`. */
const significantDigits = (text: string): string | undefined => {
  const [, whole, fraction = '', exponent = '0'] = numberPattern.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === '0') start += 1;
  let end = digits.length;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  return `${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
};
