import { type Amount, decimalText, digitsOf, formatMoney } from './format.ts';

/** An amount as it is typed: `12.50`. */
export const amountToText = ({ amount, currency }: Amount): string => decimalText(amount, digitsOf(currency));

interface Limits {
  readonly most?: number;
  readonly isLeft?: string;
  readonly isPositive?: boolean;
}

/**
 * Parses an amount as people type it and as the page shows it: `20`, `20,00`, `€20`, `20 EUR`, `€1,234.50`.
 * @param most more is rejected; `isLeft` names in words which part of it that is
 * @param isPositive whether 0 is rejected
 * @returns the whole number of the smallest unit
 * @throws Error that describes what is wrong with the text
 */
export const parseMoney = (
  text: string,
  currency: string,
  { most, isLeft = 'that are left', isPositive = false }: Limits = {},
): number => {
  const example = amountToText({ amount: 20 * 10 ** digitsOf(currency), currency });
  const typed = text.trim();
  if (typed === '') throw new Error(`Type an amount such as ${example}.`);
  const [, sign = '', digits = ''] = /^([-−]?)(.*)$/.exec(withoutCurrency(typed, currency)) ?? [];
  const amount = parseDigits(digits, currency);
  if (amount === undefined)
    throw new Error(`“${typed}” is not an amount in ${currency}, such as ${example}.`);
  if (isPositive && (sign !== '' || amount === 0)) throw new Error('An amount is above 0.');
  if (sign !== '') throw new Error('An amount cannot be below 0.');
  if (amount === 'too many decimals') throw new Error(tooManyDecimals(typed, currency));
  if (!Number.isSafeInteger(amount)) throw new Error(`“${typed}” is too large.`);
  if (most !== undefined && amount > most)
    throw new Error(`That is more than the ${formatMoney({ amount: most, currency })} ${isLeft}.`);
  return amount;
};

/** Without the currency's code or one of its symbols, before or behind the number. */
const withoutCurrency = (text: string, currency: string): string => {
  const names = [currency, symbolOf(currency, 'symbol'), symbolOf(currency, 'narrowSymbol')];
  const upper = text.toUpperCase();
  for (const name of names) {
    if (upper.startsWith(name)) return text.slice(name.length).trim();
    if (upper.endsWith(name)) return text.slice(0, -name.length).trim();
    if (/^[-−]/.test(upper) && upper.slice(1).startsWith(name))
      return `-${text.slice(1 + name.length).trim()}`;
  }
  return text;
};

const symbolOf = (currency: string, currencyDisplay: 'symbol' | 'narrowSymbol'): string =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency, currencyDisplay })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')
    ?.value.toUpperCase() ?? currency;

/** A number with decimals behind a point or a comma; and one whose thousands are set apart, by another sign than its decimals. */
const plain = /^(?<whole>\d{1,16})(?:[.,](?<decimals>\d+))?$/;
const grouped =
  /^(?<whole>\d{1,3}(?:(?<separator>[.,'’\s])\d{3})(?:\k<separator>\d{3}){0,4})(?:(?<point>[.,])(?<decimals>\d+))?$/;

/** What `plain` and `grouped` name. */
interface Groups {
  readonly whole?: string;
  readonly decimals?: string;
  readonly separator?: string;
  readonly point?: string;
}

const parseDigits = (text: string, currency: string): number | 'too many decimals' | undefined => {
  const count = digitsOf(currency);
  const groups: Groups = (plain.exec(text) ?? grouped.exec(text))?.groups ?? {};
  const { whole, decimals = '', separator, point } = groups;
  if (whole === undefined || (separator !== undefined && separator === point)) return undefined;
  const digits = whole.replaceAll(/\D/g, '');
  // Without decimals in a currency, `1,234` can only be thousands.
  if (count === 0 && decimals.length === 3 && digits.length <= 3) return Number(digits + decimals);
  if (decimals.length > count) return 'too many decimals';
  return Number(digits + decimals.padEnd(count, '0'));
};

const tooManyDecimals = (typed: string, currency: string): string => {
  const count = digitsOf(currency);
  return count === 0
    ? `“${typed}” has decimals, which ${currency} does not have.`
    : `“${typed}” has more than ${count} decimals.`;
};
