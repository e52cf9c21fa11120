import { Money } from '#domain/money.ts';

/** The sign before the decimals of a number. */
export type DecimalSign = 'dot' | 'comma';

export const decimalSigns = ['dot', 'comma'] as const;

/** The number in units of its last decimal, or the reason for which it cannot be read, which follows the field's name. */
type Reading = { readonly value: bigint } | { readonly error: string };

const characters = { dot: '.', comma: ',' } as const;

/** Between the thousands of a number, besides the sign that does not separate decimals: spaces and apostrophes. */
const groupSpaces = /(?<=\d)[ \u00a0\u2009\u202f'’](?=\d{3}(?!\d))/g;

/**
 * Reads a number as people write it: `12.90`, `12,90`, `1.234,56`. It is never rounded, and one that can mean two numbers is
 * rejected.
 * @param maxDecimals how many decimals the unit has
 * @param sign undefined when either may stand before the decimals
 * @param example a number as it is expected, for the error
 */
export const readDecimal = (
  text: string,
  maxDecimals: number,
  sign?: DecimalSign,
  example = maxDecimals === 0 ? '1290' : '12.90',
): Reading => {
  const digits = text.trim().replaceAll(groupSpaces, '');
  const parts = (sign === undefined ? decimalSigns : [sign]).flatMap((one) => splitAt(digits, one) ?? []);
  const [first, second] = parts;
  if (first === undefined) return { error: notANumber(text, sign, example) };
  const isAmbiguous = second !== undefined && !isSame(first, second);
  // A dot before as many decimals as the currency has is how programs write a price: 1.500 in KWD.
  if (isAmbiguous && !(maxDecimals === 3 && /^\d+\.\d{3}$/.test(digits))) {
    return { error: ambiguous(text) };
  }
  const decimals = first.decimals.replace(/0+$/, '');
  if (decimals.length > maxDecimals) {
    return { error: tooManyDecimals(text, maxDecimals) };
  }
  return { value: BigInt(first.whole + decimals.padEnd(maxDecimals, '0')) };
};

export const ambiguous = (text: string): string =>
  `must not be ${text}, which can mean two numbers; use --decimal=dot or --decimal=comma to say which`;

const notANumber = (text: string, sign: DecimalSign | undefined, example: string): string =>
  /^[-\u2212]\s*\d/.test(text)
    ? `must be a number of 0 or more, not ${text}`
    : `must be a number such as ${sign === 'comma' ? example.replace('.', ',') : example}, not ${text}`;

/**
 * A price without the sign or the code of its currency, which spreadsheets write beside it: `7,50 €`, `EUR 7.50`. Those of
 * another currency stay, so that the price is rejected.
 */
export const withoutCurrency = (text: string, currency: string): string => {
  for (const mark of marksOf(currency)) {
    const rest = text.startsWith(mark)
      ? text.slice(mark.length)
      : text.endsWith(mark) && text.slice(0, -mark.length);
    if (rest !== false && /^\s*\d[^\p{L}\p{Sc}]*$/u.test(rest)) return rest.trim();
  }
  return text;
};

/** `€` and `EUR`. */
const marksOf = (currency: string): readonly string[] => {
  if (Money.currency.violation(currency) !== undefined) return [];
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  });
  const sign = format.formatToParts(0).find(({ type }) => type === 'currency')?.value;
  return sign === undefined ? [currency] : [currency, sign];
};

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
