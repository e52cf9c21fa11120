import { metadataPrefix } from './columns.ts';
import {
  listFromCell,
  type Status,
  statuses,
  statusFromCell,
  tagsFromCell,
  textsFromCell,
} from './composite-cells.ts';
import { isCurrency, withoutCurrency } from './currency.ts';
import { type DecimalSign, quantityDecimals, readDecimal, readQuantity } from './numbers.ts';

/** The cells of a row by the names of their columns, as in `columns.ts`. A column that the file does not have is missing. */
export type Cells = Readonly<Record<string, string | undefined>>;

/** The cells of a row as `PATCH /products/{id}` accepts them. */
export interface ProductFields {
  readonly sku?: string;
  readonly name?: string;
  readonly price?: ProductPrice;
  readonly description?: string | null;
  readonly status?: Status;
  readonly stock?: number | null;
  readonly quantity_step?: number | null;
  readonly image_urls?: readonly string[];
  readonly tags?: readonly string[];
  readonly tax_rate?: number | null;
  readonly metadata?: Texts;
}

/** Null removes a text. */
type Texts = Readonly<Record<string, string | null>>;

export interface ProductPrice {
  readonly amount?: number;
  readonly currency?: string;
}

export interface FieldError {
  /** A nested one is dotted: `price.amount`. */
  readonly field: string;
  /** Follows the name of the field. */
  readonly message: string;
}

export interface ProductOptions {
  /** Returns how many decimals a price has in a currency: 2 for EUR. */
  readonly decimalsOf: (currency: string) => number;
  /** Of rows that name none. */
  readonly currency?: string | undefined;
  /** What separates decimals; undefined when either a dot or a comma may. */
  readonly sign?: DecimalSign | undefined;
  /** Whether the column `price_amount` holds decimal prices, too. */
  readonly isDecimal?: boolean | undefined;
  /** Who wrote numbers other than prices. Undefined: people, unless the prices are in the minor unit. */
  readonly writtenBy?: 'people' | 'program' | undefined;
  readonly advice: {
    /** How to choose the sign of a file: `use --decimal=dot`. */
    readonly sign: string;
    /** How to have prices converted to the minor unit: `use --decimal`. */
    readonly minorUnit: string;
  };
}

export interface ReadProduct {
  /** Without those that have an error. */
  readonly fields: ProductFields;
  readonly errors: readonly FieldError[];
}

/**
 * Reads a product. An empty cell empties its field; what cannot be empty (sku, name, price, status) counts as left out. The ends
 * of sku and name stay as they are, because a product may have been stored so.
 */
export const productFromCells = (cells: Cells, options: ProductOptions): ReadProduct => {
  const { sku, name, description, status = '', image_urls: urls, tags } = cells;
  const errors: FieldError[] = [];
  const resultOf = <T>(reading: Reading<T> | undefined): T | undefined => {
    if (reading !== undefined && 'errors' in reading) errors.push(...reading.errors);
    return reading !== undefined && 'value' in reading ? reading.value : undefined;
  };
  const fields: Complete<ProductFields> = {
    sku: filled(sku),
    name: filled(name),
    price: resultOf(readPrice(cells, options)),
    description: description === '' ? null : description,
    status: resultOf(readStatus(status)),
    stock: resultOf(readNumber('stock', cells, options)),
    quantity_step: resultOf(readNumber('quantity_step', cells, options)),
    image_urls: urls === undefined ? undefined : listFromCell(urls),
    tags: tags === undefined ? undefined : tagsFromCell(tags),
    tax_rate: resultOf(readNumber('tax_rate', cells, options)),
    metadata: resultOf(readMetadata(cells)),
  };
  return { fields: withoutUndefined(fields), errors };
};

/** Each field by its name, undefined where the row leaves it out. */
type Complete<T> = { readonly [Name in keyof Required<T>]: T[Name] | undefined };

const withoutUndefined = (fields: Complete<ProductFields>): ProductFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const filled = (cell: string | undefined): string | undefined => (cell?.trim() ? cell : undefined);

type Reading<T> = { readonly value: T } | { readonly errors: readonly FieldError[] };

const rejected = (field: string, message: string) => ({ errors: [{ field, message }] });

/** @returns undefined where the row does not change the price, and so its currency */
export const readPrice = (cells: Cells, options: ProductOptions): Reading<ProductPrice> | undefined => {
  const text = (cells['price_amount'] ?? cells['price'])?.trim();
  const named = (cells['price_currency'] ?? '').trim().toUpperCase();
  if (text === '' || (text === undefined && named === '')) return undefined;
  const currency = named || (options.currency ?? '');
  if (currency !== '' && !isCurrency(currency))
    return rejected('price.currency', `must be three letters such as EUR, not ${currency}`);
  if (text === undefined) return { value: { currency } };
  const isDecimal = cells['price_amount'] === undefined || options.isDecimal === true;
  if (isDecimal && currency === '') return rejected('price.currency', 'is required');
  const amount = isDecimal ? decimalAmount(text, currency, options) : minorAmount(text, currency, options);
  if ('error' in amount) return rejected('price.amount', amount.error);
  return { value: { amount: amount.value, ...(currency !== '' && { currency }) } };
};

type Amount = { readonly value: number } | { readonly error: string };

const decimalAmount = (text: string, currency: string, options: ProductOptions): Amount => {
  const { sign, advice } = options;
  const maxDecimals = options.decimalsOf(currency);
  const read = readDecimal(withoutCurrency(text, currency), { maxDecimals, sign, advice: advice.sign });
  if ('error' in read) return read;
  const value = Number(read.value);
  return Number.isSafeInteger(value) ? { value } : { error: `is too large: ${text}` };
};

const minorAmount = (text: string, currency: string, options: ProductOptions): Amount => {
  const isWhole = /^\d+$/.test(text);
  if (isWhole && Number.isSafeInteger(Number(text))) return { value: Number(text) };
  const advice = isWhole ? undefined : minorUnitAdvice(withoutCurrency(text, currency), currency, options);
  return { error: advice ?? `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, not ${text}` };
};

/** What to write instead of a decimal price. @returns undefined for what is none */
const minorUnitAdvice = (
  price: string,
  currency: string,
  { decimalsOf, advice }: ProductOptions,
): string | undefined => {
  const read = readDecimal(price, {
    maxDecimals: decimalsOf(currency),
    sign: undefined,
    advice: advice.sign,
  });
  if ('value' in read && currency !== '')
    return `is in the minor unit: write ${read.value} for ${price} ${currency}, or ${advice.minorUnit}`;
  return /^[\d.,\s'’]*\d$/.test(price)
    ? `is in the minor unit, such as 1290 for 12.90 EUR, or ${advice.minorUnit}`
    : undefined;
};

/** Numbers that are no prices, as they are expected. */
const examples = { stock: '12', quantity_step: '0.25', tax_rate: '19' } as const;

const readNumber = (
  field: keyof typeof examples,
  cells: Cells,
  { writtenBy, sign, advice }: ProductOptions,
): Reading<number | null> | undefined => {
  const cell = cells[field]?.trim();
  if (cell === undefined || cell === '') return cell === '' ? { value: null } : undefined;
  const text = field === 'tax_rate' ? cell.replace(/\s*%$/, '') : cell;
  const isProgram = (writtenBy ?? (cells['price_amount'] === undefined ? 'people' : 'program')) === 'program';
  if (isProgram && text.includes(','))
    return rejected(field, `must be a number with a dot before its decimals, such as 1.5, not ${text}`);
  const options = { sign: isProgram ? 'dot' : sign, example: examples[field], advice: advice.sign } as const;
  const read =
    field === 'tax_rate'
      ? readDecimal(text, { ...options, maxDecimals: quantityDecimals })
      : readQuantity(text, options);
  if ('error' in read) return rejected(field, read.error);
  return { value: Number(read.value) / 10 ** quantityDecimals };
};

const readStatus = (cell: string): Reading<Status> | undefined => {
  if (cell.trim() === '') return undefined;
  const value = statusFromCell(cell);
  return value === undefined
    ? rejected('status', `must be one of ${statuses.join(', ')}, not ${cell.trim()}`)
    : { value };
};

/** The texts of all columns of metadata. An empty cell of a column such as `metadata.colour` removes that text. */
const readMetadata = (cells: Cells): Reading<Texts> | undefined => {
  const { metadata = '' } = cells;
  const whole = metadata.trim() === '' ? {} : textsFromCell(metadata);
  if (whole === undefined) return rejected('metadata', 'must be a JSON object, such as {"colour":"blue"}');
  const single = Object.entries(cells).flatMap(([column, cell]) =>
    column.startsWith(metadataPrefix) && cell !== undefined
      ? [[column.slice(metadataPrefix.length), cell === '' ? null : cell] as const]
      : [],
  );
  const all = [...Object.entries(whole), ...single];
  const texts = all.filter((entry): entry is [string, string | null] => isText(entry[1]));
  const [wrong] = all.filter(([, text]) => !isText(text));
  if (wrong !== undefined) return rejected(`metadata.${wrong[0]}`, 'must be a string');
  return all.length === 0 ? undefined : { value: Object.fromEntries(texts) };
};

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';
