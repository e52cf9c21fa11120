import { wholeProduct } from '#adapters/http/v1/products.ts';
import { Money } from '#domain/money.ts';
import type { Cells } from '../presets/preset.ts';
import { type Column, columnsOf, objectFromCells } from './columns.ts';
import { ambiguous, type DecimalSign, readDecimal, withoutCurrency } from './decimal-numbers.ts';

/** The columns of a CSV file of products. The sku comes first and is required, because imports identify products by it. */
export const productColumns: readonly Column[] = columnsOf(wholeProduct.schema)
  .filter(({ name }) => !['image_urls', 'tags', 'tax_rate', 'metadata'].includes(name))
  .map((column) => (column.name === 'sku' ? { ...column, isRequired: true, empty: undefined } : column))
  .sort((one, other) => Number(other.name === 'sku') - Number(one.name === 'sku'));

/** `price` is a price as people write it, and `currency` a short name of `price_currency`. */
export const ownColumns: readonly string[] = [...productColumns.map(({ name }) => name), 'price', 'currency'];

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

const stockDecimals = 3;

/** @param written by `ownColumns`; those that the file does not have are left out */
export const productFromCells = (written: Cells, options: NumberOptions): ProductInput => {
  const cells = withoutSpaces(written);
  const reasons = new Map<string, string>();
  const { price, currency, price_amount: amount, price_currency: ownCurrency, stock } = cells;
  const code = ownCurrency || currency || options.currency;
  // No number, so that the codec rejects it: the text 1.000 or 12.00 would be some cents.
  const reject = (field: string, reason: string): number => {
    reasons.set(field, reason);
    return Number.NaN;
  };
  const numberOf = (field: string, text: string, decimals: number): number => {
    const read =
      field === 'stock' ? readStock(text, options.sign) : readDecimal(text, decimals, options.sign);
    if ('value' in read) return Number(read.value) / (field === 'stock' ? 10 ** decimals : 1);
    return reject(field, read.error);
  };
  const isDecimal = amount === undefined || options.isDecimal;
  // Who writes prices for people writes stock for them, too. A preset's numbers are a program's.
  const isStockDecimal = options.isDecimal || (amount === undefined && options.sign === undefined);
  const text = amount ?? price;
  const decimals = Money.decimalsOf(code ?? '');
  const amountOf = (written: string): string | number => {
    const bare = withoutCurrency(written, code ?? '');
    if (isDecimal) return numberOf('price.amount', bare, decimals);
    const advice = minorUnitAdvice(bare, code);
    return advice === undefined ? written : reject('price.amount', advice);
  };
  if (stock && !isStockDecimal && stock.includes(',')) {
    reasons.set('stock', `must be a number with a dot before its decimals, such as 1.5, not ${stock}`);
  }
  const object = objectFromCells(productColumns, {
    ...cells,
    price_currency: code,
    price_amount: text && amountOf(text),
    stock: stock && isStockDecimal ? numberOf('stock', stock, stockDecimals) : stock,
  });
  return { object, reasons };
};

/** Unlike a price in KWD, 1.000 may be a thousand. */
const readStock = (text: string, sign: DecimalSign | undefined) =>
  sign === undefined && /^[1-9]\d{0,2}\.\d{3}$/.test(text)
    ? { error: ambiguous(text) }
    : readDecimal(text, stockDecimals, sign);

/** Spreadsheets leave spaces behind codes and numbers. Those of texts are kept. */
const withoutSpaces = (cells: Cells): Cells => {
  const { price, currency, price_amount, price_currency, stock, status } = cells;
  return {
    ...cells,
    price: price?.trim(),
    currency: currency?.trim().toUpperCase(),
    price_amount: price_amount?.trim(),
    price_currency: price_currency?.trim(),
    stock: stock?.trim(),
    status: status?.trim().toLowerCase(),
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
