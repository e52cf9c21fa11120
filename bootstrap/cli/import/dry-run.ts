import { productPatch } from '#adapters/http/v1/products.ts';
import {
  changeImported,
  createImported,
  type ImportedProduct,
} from '#application/use-cases/product-import.ts';
import {
  type EmptiedCounts,
  emptiedFields,
  requireNotEmptied,
  soldFields,
  withEmptied,
} from '#domain/emptied-fields.ts';
import { DomainError } from '#domain/errors.ts';
import { Instant } from '#domain/instant.ts';
import type { Product, ProductId } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { renderTable } from '../framework/table.ts';
import type { Terminal } from '../framework/terminal.ts';
import { moneyText } from '../money-text.ts';
import type { BatchSink } from './batches.ts';
import { findShortened } from './shortened-skus.ts';
import type { FindStored } from './stored-products.ts';

const maxPreviewRows = 5;

/** In characters. */
const maxCellLength = 48;

/** A product of the file, and as it would be stored. */
export interface Previewed {
  readonly imported: ImportedProduct;
  readonly product: Product;
}

/**
 * Checks products without writing them, and keeps the first ones. One with a name and a price is checked as a new one. Others
 * must exist, so they are queried; so are those that may empty what decides how they are sold.
 */
export const createPreview = (findStored: FindStored) => {
  const first: Previewed[] = [];
  /** Products of which the file has another row. */
  const earlier = new Map<string, Product>();
  const sink: BatchSink = async (products) => {
    const rejected = new Map<string, DomainError>();
    const dependent = products.filter((product) => !canBeNew(product) || mayEmpty(product));
    const stored = dependent.length === 0 ? () => undefined : await findStored(dependent);
    const shortened = await findShortened(products, findStored);
    let emptied: EmptiedCounts = {};
    for (const imported of products) {
      const sku = imported.sku.normalize('NFC');
      const before = canBeNew(imported) ? undefined : (earlier.get(sku) ?? stored(imported));
      const existing = mayEmpty(imported) ? stored(imported) : undefined;
      const fields = existing === undefined ? [] : emptiedFields(existing, imported);
      try {
        if (existing !== undefined && imported.keepsSold) requireNotEmptied(existing, imported);
        const product =
          before === undefined
            ? createImported(imported, noId, never)
            : changeImported(before, imported, never);
        if (imported.ifNew !== undefined) earlier.set(sku, product);
        emptied = withEmptied(emptied, fields);
        if (first.length < maxPreviewRows) first.push({ imported, product });
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        rejected.set(imported.sku, error);
        if (imported.keepsSold) emptied = withEmptied(emptied, fields);
      }
    }
    return { added: products.length - rejected.size, updated: 0, unchanged: 0, rejected, emptied, shortened };
  };
  return { sink, first: first as readonly Previewed[] };
};

/** Nothing is stored, so ids and times do not matter. */
const [noId, never] = ['' as ProductId, Instant.at(0)];

const mayEmpty = (product: ImportedProduct): boolean => soldFields.some((field) => product[field] === null);

const canBeNew = ({ name, price, ifNew }: ImportedProduct): boolean => {
  const { amount, currency } = { ...ifNew?.price, ...price };
  return (name ?? ifNew?.name) !== undefined && amount !== undefined && currency !== undefined;
};

/** The first products as they would be stored, as a table. */
export const printPreview = async (previewed: readonly Previewed[], terminal: Terminal): Promise<void> => {
  if (previewed.length === 0) return;
  const rows = previewed.map(({ product: { sku, name, price, status, stock } }) => [
    ...[sku ?? '', short(name), moneyText(price), status],
    stock === null ? 'not counted' : `${Quantity.toNumber(stock)}`,
  ]);
  await terminal.print(renderTable([['SKU', 'NAME', 'PRICE', 'STATUS', 'STOCK'], ...rows], terminal.columns));
};

/** The first products of the file, in the form of the API. */
export const previewObjects = (previewed: readonly Previewed[]): readonly object[] =>
  previewed.map(({ imported: { ifNew, defaults: _, keepsSold: __, ...imported }, product: { sku } }) =>
    productPatch.encode({ ...ifNew, ...imported, sku }),
  );

const short = (text: string): string =>
  text.length > maxCellLength ? `${text.slice(0, maxCellLength - 1)}…` : text;
