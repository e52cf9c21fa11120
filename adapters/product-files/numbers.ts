/** The sign before the decimals of a number. */
export type DecimalSign = 'dot' | 'comma';

export const decimalSigns = ['dot', 'comma'] as const;

/** The number in units of its last decimal, or the reason for which it cannot be read, which follows the field's name. */
type Reading = { readonly value: bigint } | { readonly error: string };

const characters = { dot: '.', comma: ',' } as const;

/** Between the thousands of a number, besides the sign that does not separate decimals: spaces and apostrophes. */
const groupSpaces = /(?<=\d)[ \u00a0\u2009\u202f'’](?=\d{3}(?!\d))/g;

interface DecimalOptions {
  /** How many decimals the unit has. */
  readonly maxDecimals: number;
  /** Undefined when either may stand before the decimals. */
  readonly sign: DecimalSign | undefined;
  /** A number as it is expected, for the error. */
  readonly example?: string;
  /** What to do where a number can mean two. It follows a semicolon. */
  readonly advice: string;
}

/**
 * Reads a number as people write it: `12.90`, `12,90`, `1.234,56`. It is never rounded, and one that can mean two numbers is
 * rejected.
 */
export const readDecimal = (text: string, options: DecimalOptions): Reading => {
  const { maxDecimals, sign, advice, example = maxDecimals === 0 ? '1290' : '12.90' } = options;
  const digits = text.trim().replaceAll(groupSpaces, '');
  const parts = (sign === undefined ? decimalSigns : [sign]).flatMap((one) => splitAt(digits, one) ?? []);
  const [first, second] = parts;
  if (first === undefined) return { error: notANumber(text, sign, example) };
  const isAmbiguous = second !== undefined && !isSame(first, second);
  // A dot before as many decimals as the currency has is how programs write a price: 1.500 in KWD.
  if (isAmbiguous && !(maxDecimals === 3 && /^\d+\.\d{3}$/.test(digits))) return ambiguous(text, advice);
  const decimals = first.decimals.replace(/0+$/, '');
  if (decimals.length > maxDecimals) return { error: tooManyDecimals(text, maxDecimals) };
  return { value: BigInt(first.whole + decimals.padEnd(maxDecimals, '0')) };
};

/** Reads a quantity. Unlike a price in KWD, one of 1.000 may be a thousand. */
export const readQuantity = (text: string, options: Omit<DecimalOptions, 'maxDecimals'>): Reading =>
  options.sign === undefined && /^[1-9]\d{0,2}\.\d{3}$/.test(text)
    ? ambiguous(text, options.advice)
    : readDecimal(text, { ...options, maxDecimals: quantityDecimals });

/** Of a quantity, and of a tax rate. */
export const quantityDecimals = 3;

const canMeanTwo = 'can mean two numbers';

const ambiguous = (text: string, advice: string): Reading => ({
  error: `must not be ${text}, which ${canMeanTwo}; ${advice}`,
});

/** Whether an error is about a number that can mean two. */
export const isAmbiguity = (error: string): boolean => error.includes(canMeanTwo);

const notANumber = (text: string, sign: DecimalSign | undefined, example: string): string =>
  /^[-\u2212]\s*\d/.test(text)
    ? `must be a number of 0 or more, not ${text}`
    : `must be a number such as ${sign === 'comma' ? example.replace('.', ',') : example}, not ${text}`;

interface Parts {
  readonly whole: string;
  readonly decimals: string;
}

const splitAt = (text: string, sign: DecimalSign): Parts | undefined => {
  const group = characters[sign === 'dot' ? 'comma' : 'dot'];
  const [whole = '', decimals = '', ...others] = text.split(characters[sign]);
  if (others.length > 0 || whole + decimals === '' || !/^\d*$/.test(decimals)) return undefined;
  const isGrouped = new RegExp(`^[1-9]\\d{0,2}(\\${group}\\d{3})+$`).test(whole);
  if (!isGrouped && !/^\d*$/.test(whole)) return undefined;
  return { whole: whole.replaceAll(group, '') || '0', decimals };
};

const isSame = (one: Parts, other: Parts): boolean =>
  one.whole === other.whole && one.decimals === other.decimals;

const tooManyDecimals = (text: string, maxDecimals: number): string =>
  maxDecimals === 0
    ? `must be a whole number, as its currency has no decimals, not ${text}`
    : `must have at most ${maxDecimals} decimals, not ${text}`;
