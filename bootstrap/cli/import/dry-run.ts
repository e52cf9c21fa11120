import { wholeProduct } from '#adapters/http/v1/products.ts';
import type { ImportedProduct } from '#application/use-cases/product-import.ts';
import { DomainError } from '#domain/errors.ts';
import { Product } from '#domain/product.ts';
import { requireValid } from '#domain/rule.ts';
import { renderTable } from '../framework/table.ts';
import type { Terminal } from '../framework/terminal.ts';
import { moneyText } from '../money-text.ts';
import type { BatchSink } from './batches.ts';

const maxPreviewRows = 5;

/** In characters. */
const maxCellLength = 48;

/** Checks products as new ones without writing them, and keeps the first ones. */
export const createPreview = () => {
  const first: ImportedProduct[] = [];
  const sink: BatchSink = async (products) => {
    const rejected = new Map<string, DomainError>();
    for (const product of products) {
      try {
        const kept = requireValid(Product.rules, product);
        if (first.length < maxPreviewRows) first.push(kept);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        rejected.set(product.sku, error);
      }
    }
    return { added: products.length - rejected.size, updated: 0, unchanged: 0, rejected };
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
    return [sku, short(name), moneyText(price), status, count === null ? 'not counted' : `${count}`];
  });
  await terminal.print(renderTable([['SKU', 'NAME', 'PRICE', 'STATUS', 'STOCK'], ...rows], terminal.columns));
};

/** As the API shows them. */
export const previewObjects = (products: readonly ImportedProduct[]): readonly object[] =>
  products.map((product) => wholeProduct.encode(product));

const short = (text: string): string =>
  text.length > maxCellLength ? `${text.slice(0, maxCellLength - 1)}…` : text;
