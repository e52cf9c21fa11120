/** Formats money in the reader's language, exactly. An amount is a whole number or a BigInt of the smallest unit of its currency. */
export const formatMoney = ({ amount, currency }: Amount): string => {
  const digits = digitsOf(currency);
  const format =
    moneyFormats.get(currency) ??
    new Intl.NumberFormat(undefined, {
      ...{ style: 'currency', currency },
      ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
    });
  moneyFormats.set(currency, format);
  return format.format(decimalText(amount, digits));
};

/** An amount of money in the smallest unit of its currency. */
export interface Amount {
  readonly amount: number | bigint;
  readonly currency: string;
}

/**
 * An amount as a decimal number, such as `12.50`. A text is exact where a floating-point number loses cents.
 * @param amount a whole number or a BigInt of the smallest unit
 * @param count how many decimals there are
 */
export const decimalText = (amount: number | bigint, count: number): DecimalText => {
  const [, sign = '', digits = ''] = /^(-?)(\d+)$/.exec(`${amount}`) ?? [];
  const padded = digits.padStart(count + 1, '0');
  const unsigned = count === 0 ? digits : `${padded.slice(0, -count)}.${padded.slice(-count)}`;
  const text = `${sign}${unsigned}`;
  if (!isDecimal(text)) throw new TypeError(`${amount} is no amount of the smallest unit.`);
  return text;
};

type DecimalText = `${number}`;

const isDecimal = (text: string): text is DecimalText => /^-?\d+(\.\d+)?$/.test(text);

/* Formats are slow to make, and a list needs thousands. */
const moneyFormats = new Map<string, Intl.NumberFormat>();

/** The currencies whose minor unit is not a hundredth: ISO 4217, list one, as the API counts. `Intl` follows CLDR, which differs. */
const otherDigits: ReadonlyMap<string, number> = new Map(
  [
    { digits: 0, codes: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF' },
    { digits: 3, codes: 'BHD IQD JOD KWD LYD OMR TND' },
    { digits: 4, codes: 'CLF UYW' },
  ].flatMap(({ digits, codes }) => codes.split(' ').map((code) => [code, digits] as const)),
);

/** How many decimal digits a currency has. */
export const digitsOf = (currency: string): number => otherDigits.get(currency) ?? 2;

const timeFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
export const formatTime = (instant: string): string => timeFormat.format(new Date(instant));

const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** `3 minutes ago`, `yesterday`; the date when it is more than a week away. */
export const formatAgo = (instant: string): string => {
  const seconds = (Date.parse(instant) - Date.now()) / 1000;
  if (Math.abs(seconds) > 7 * 86_400) return timeFormat.format(new Date(instant));
  const unit = units.find(([, length]) => Math.abs(seconds) >= length);
  return unit === undefined ? 'just now' : relativeFormat.format(Math.round(seconds / unit[1]), unit[0]);
};

/** `requires_action` becomes `Requires action`. */
export const toWords = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const countFormat = new Intl.NumberFormat();
export const formatCount = (count: number): string => countFormat.format(count);

const countryFormat = new Intl.DisplayNames(undefined, { type: 'region' });
/** The name of a country by its code of two letters. */
export const countryName = (code: string): string | undefined => countryFormat.of(code);

/** A quantity has up to three decimals: goods are also sold by weight. */
const quantityFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 3 });
export const formatQuantity = (quantity: number): string => quantityFormat.format(quantity);

/** Parses a number of 0 or more with at most three decimals, behind a point or a comma. @returns it in thousandths */
export const parseThousandths = (text: string): number | undefined => {
  const match = /^(\d{1,9})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  return match === null ? undefined : Number(match[1]) * 1000 + Number((match[2] ?? '').padEnd(3, '0'));
};
