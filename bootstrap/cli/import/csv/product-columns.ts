import { wholeProduct } from '#adapters/http/v1/products.ts';
import { textsFromCell } from '#adapters/product-files/composite-cells.ts';
import {
  ambiguous,
  type DecimalSign,
  readDecimal,
  withoutCurrency,
} from '#adapters/product-files/numbers.ts';
import type { Cells } from '#adapters/product-files/preset.ts';
import { isObject } from '#adapters/wire/json.ts';
import { Metadata } from '#domain/metadata.ts';
import { Money } from '#domain/money.ts';
import { type Column, columnsOf, objectFromCells } from './columns.ts';
import { metadataPrefix } from './header.ts';

/** The columns of a CSV file of products. The sku comes first and is required, because imports identify products by it. */
export const productColumns: readonly Column[] = columnsOf(wholeProduct.schema)
  .map((column) => (column.name === 'sku' ? { ...column, isRequired: true, empty: undefined } : column))
  .sort((one, other) => Number(other.name === 'sku') - Number(one.name === 'sku'));

/** `price` is a price as people write it, and `currency` a short name of `price_currency`. */
export const ownColumns: readonly string[] = [...productColumns.map(({ name }) => name), 'price', 'currency'];

/** Whether rows are read by a column of this name, also by one such as `metadata.colour`. */
export const isOwnColumn = (name: string): boolean =>
  ownColumns.includes(name) || metadataName(name) !== undefined;

/** @returns undefined for the name of any other column */
const metadataName = (column: string): string | undefined => {
  const name = column.startsWith(metadataPrefix) ? column.slice(metadataPrefix.length) : '';
  return Metadata.name.violation(name) === undefined ? name : undefined;
};

export interface NumberOptions {
  /** Of rows without one. */
  readonly currency: string | undefined;
  /** Whether the column `price_amount` holds decimal prices, too. */
  readonly isDecimal: boolean;
  /** Undefined when either sign may stand before the decimals. */
  readonly sign: DecimalSign | undefined;
}

/** What `POST /products` takes, and a better reason for each field of it that the row's text explains. */
export interface ProductInput {
  readonly object: object;
  readonly reasons: ReadonlyMap<string, string>;
}

/** Of a quantity, and of a tax rate. */
const maxDecimals = 3;

const examples = { stock: '12', quantity_step: '0.25', tax_rate: '19' } as const;

/** @param written by `isOwnColumn`; those that the file does not have are left out */
export const productFromCells = (written: Cells, options: NumberOptions): ProductInput => {
  const cells = withoutSpaces(written);
  const reasons = new Map<string, string>();
  const { price, currency, price_amount: amount, price_currency: ownCurrency } = cells;
  const { stock, quantity_step: step, tax_rate: rate } = cells;
  const code = ownCurrency || currency || options.currency;
  // No number, so that the codec rejects it: the text 1.000 or 12.00 would be some cents.
  const reject = (field: string, reason: string): number => {
    reasons.set(field, reason);
    return Number.NaN;
  };
  const isDecimal = amount === undefined || options.isDecimal;
  // Who writes prices for people writes other numbers for them, too. A preset's numbers are a program's.
  const isOtherDecimal = options.isDecimal || (amount === undefined && options.sign === undefined);
  const text = amount ?? price;
  const amountOf = (written: string): string | number => {
    const bare = withoutCurrency(written, code ?? '');
    if (isDecimal) {
      const read = readDecimal(bare, Money.decimalsOf(code ?? ''), options.sign);
      if ('error' in read) return reject('price.amount', read.error);
      const value = Number(read.value);
      return Number.isSafeInteger(value) ? value : reject('price.amount', `is too large: ${written}`);
    }
    const advice = minorUnitAdvice(bare, code);
    return advice === undefined ? written : reject('price.amount', advice);
  };
  const numberOf = (field: 'stock' | 'quantity_step' | 'tax_rate', written: string): string | number => {
    if (!isOtherDecimal) {
      return written.includes(',')
        ? reject(field, `must be a number with a dot before its decimals, such as 1.5, not ${written}`)
        : written;
    }
    // Unlike a price in KWD, a quantity of 1.000 may be a thousand. No tax rate is.
    const mayBeThousands = field !== 'tax_rate' && options.sign === undefined;
    if (mayBeThousands && /^[1-9]\d{0,2}\.\d{3}$/.test(written)) return reject(field, ambiguous(written));
    const read = readDecimal(written, maxDecimals, options.sign, examples[field]);
    return 'value' in read ? Number(read.value) / 10 ** maxDecimals : reject(field, read.error);
  };
  const currencyOf = (): string | number | undefined => {
    if (isDecimal && text && !code) return reject('price.currency', 'is required');
    // An empty price leaves the price as it is, and so its currency. The option is for prices of the file alone.
    return text === undefined ? ownCurrency || currency : text && code;
  };
  const object = objectFromCells(productColumns, {
    ...cells,
    price_currency: currencyOf(),
    price_amount: text && amountOf(text),
    stock: stock && numberOf('stock', stock),
    quantity_step: step && numberOf('quantity_step', step),
    tax_rate: rate && numberOf('tax_rate', rate),
    metadata: metadataFromCells(cells, reject),
  });
  return { object, reasons };
};

/** The texts of all columns of metadata. An empty cell of a column such as `metadata.colour` removes that text. */
const metadataFromCells = (cells: Cells, reject: (field: string, reason: string) => number): unknown => {
  const { metadata } = cells;
  const whole = metadata ? textsFromCell(metadata) : {};
  if (!isObject(whole)) return reject('metadata', 'must be a JSON object, such as {"colour":"blue"}');
  const single = Object.entries(cells).flatMap(([column, cell]) => {
    const name = metadataName(column);
    return name === undefined || cell === undefined ? [] : [[name, cell === '' ? null : cell] as const];
  });
  const all = { ...whole, ...Object.fromEntries(single) };
  return Object.keys(all).length === 0 ? undefined : all;
};

/** Spreadsheets leave spaces behind codes and numbers, and percent signs. Spaces of texts are kept. */
const withoutSpaces = (cells: Cells): Cells => {
  const { price, currency, price_amount, price_currency, stock, status, metadata, tax_rate } = cells;
  const { image_urls, tags, quantity_step } = cells;
  return {
    ...cells,
    price: price?.trim(),
    currency: currency?.trim().toUpperCase(),
    price_amount: price_amount?.trim(),
    price_currency: price_currency?.trim(),
    stock: stock?.trim(),
    quantity_step: quantity_step?.trim(),
    status: status?.trim().toLowerCase(),
    tags: tags?.trim().toLowerCase(),
    image_urls: image_urls?.trim(),
    tax_rate: tax_rate?.trim().replace(/\s*%$/, ''),
    metadata: metadata?.trim(),
  };
};

/** What to write instead of a decimal price where the minor unit is expected. @returns undefined for anything else */
const minorUnitAdvice = (text: string, currency: string | undefined): string | undefined => {
  if (/^-?\d+$/.test(text)) return undefined;
  const read = readDecimal(text, Money.decimalsOf(currency ?? ''));
  if ('value' in read && currency !== undefined) {
    return `is in the minor unit: write ${read.value} for ${text} ${currency}, or use --decimal`;
  }
  return /^[\d.,\s'’]*\d$/.test(text)
    ? 'is in the minor unit, such as 1290 for 12.90 EUR; --decimal converts prices'
    : undefined;
};
