import { wholeProduct } from '#adapters/http/v1/products.ts';
import { Money } from '#domain/money.ts';
import type { Cells } from '../presets/preset.ts';
import { type Column, columnsOf, objectFromCells } from './columns.ts';
import { type DecimalSign, readDecimal } from './decimal-numbers.ts';

/** The columns of a CSV file of products. The sku comes first and is required, because imports identify products by it. */
export const productColumns: readonly Column[] = columnsOf(wholeProduct.schema)
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
  const numberOf = (field: string, text: string, decimals: number): string | number => {
    const read = readDecimal(text, decimals, options.sign);
    if ('value' in read) return Number(read.value) / (field === 'stock' ? 10 ** decimals : 1);
    reasons.set(field, read.error);
    return text;
  };
  const isDecimal = amount === undefined || options.isDecimal;
  const text = amount ?? price;
  const decimals = Money.decimalsOf(code ?? '');
  if (!isDecimal && text) explainAmount(text, code, reasons);
  if (stock && !options.isDecimal && stock.includes(',')) {
    reasons.set('stock', `must be a number with a dot before its decimals, such as 1.5, not ${stock}`);
  }
  const object = objectFromCells(productColumns, {
    ...cells,
    price_currency: code,
    price_amount: text && isDecimal ? numberOf('price.amount', text, decimals) : text,
    stock: stock && options.isDecimal ? numberOf('stock', stock, stockDecimals) : stock,
  });
  return { object, reasons };
};

/** Spreadsheets leave spaces behind codes and numbers. Those of texts are kept. */
const withoutSpaces = (cells: Cells): Cells => {
  const { price, currency, price_amount, price_currency, stock, status } = cells;
  return {
    ...cells,
    price: price?.trim(),
    currency: currency?.trim(),
    price_amount: price_amount?.trim(),
    price_currency: price_currency?.trim(),
    stock: stock?.trim(),
    status: status?.trim().toLowerCase(),
  };
};

/** A decimal price where the minor unit is expected: what to write instead. */
const explainAmount = (text: string, currency: string | undefined, reasons: Map<string, string>): void => {
  if (/^-?\d+$/.test(text)) return;
  const read = readDecimal(text, Money.decimalsOf(currency ?? ''));
  if ('value' in read && currency !== undefined) {
    const price = `${text.trim()} ${currency}`;
    reasons.set('price.amount', `is in the minor unit: write ${read.value} for ${price}, or use --decimal`);
  } else if (/^[\d.,\s'’]*\d$/.test(text)) {
    reasons.set(
      'price.amount',
      `is in the minor unit, such as 1290 for 12.90 EUR; --decimal converts prices`,
    );
  }
};
