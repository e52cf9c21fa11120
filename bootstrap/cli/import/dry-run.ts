import { wholeProduct } from '#adapters/http/v1/products.ts';
import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import { Money } from '#domain/money.ts';
import { Product } from '#domain/product.ts';
import { renderTable, type Terminal } from '../framework/terminal.ts';
import type { BatchSink } from './batches.ts';

const maxPreviewRows = 5;

/** In characters. */
const maxCellLength = 48;

/** Takes products without writing them, and keeps the first ones. */
export const createPreview = () => {
  const first: ImportedProduct[] = [];
  const sink: BatchSink = async (products) => {
    first.push(...products.slice(0, maxPreviewRows - first.length));
    return { added: products.length, updated: 0, unchanged: 0, rejected: new Map() };
  };
  return { sink, first: first as readonly ImportedProduct[] };
};

/** The first products as they would be stored, as a table. */
export const printPreview = async (
  products: readonly ImportedProduct[],
  terminal: Terminal,
): Promise<void> => {
  if (products.length === 0) return;
  const rows = products.map((imported) => {
    const { sku, name, price, status, stock } = { ...Product.defaults, ...imported };
    const { stock: count } = wholeProduct.encode({ ...imported, stock });
    return [sku, short(name), priceText(price), status, count === null ? 'not counted' : `${count}`];
  });
  await terminal.print(renderTable([['SKU', 'NAME', 'PRICE', 'STATUS', 'STOCK'], ...rows]));
};

/** As the API shows them. */
export const previewObjects = (products: readonly ImportedProduct[]): readonly object[] =>
  products.map((product) => wholeProduct.encode(product));

/** `12.90 EUR`, by the currency's decimals. */
const priceText = ({ amount, currency }: Money): string => {
  const decimals = Money.decimalsOf(currency);
  const digits = `${amount}`.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`} ${currency}`;
};

const short = (text: string): string =>
  text.length > maxCellLength ? `${text.slice(0, maxCellLength - 1)}…` : text;
