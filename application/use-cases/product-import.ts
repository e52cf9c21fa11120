import { type EmptiedCounts, emptiedFields, requireNotEmptied, withEmptied } from '#domain/emptied-fields.ts';
import { DomainError, invalidField } from '#domain/errors.ts';
import type { Instant } from '#domain/instant.ts';
import { Metadata, type MetadataPatch } from '#domain/metadata.ts';
import type { Money } from '#domain/money.ts';
import { Product, type ProductDetails, type ProductId } from '#domain/product.ts';
import { isSame } from '#domain/rule.ts';
import { indexChanged, indexNew } from '../jobs/product-index.ts';
import type { Clock, NewId } from '../ports/system.ts';
import type { Reading, Work } from '../ports/unit-of-work.ts';

/** What an import list has of a product. What it omits, an existing product keeps, and a new one has by default. */
export interface ProductChanges extends Partial<Omit<ProductDetails, 'sku' | 'price' | 'metadata'>> {
  readonly price?: Partial<Money>;
  readonly metadata?: MetadataPatch;
}

/** A product in an import list, identified by its SKU. */
export interface ImportedProduct extends ProductChanges {
  /** Found as it is given, because one from before the rule may be stored so, and then in NFC. */
  readonly sku: string;
  /** Further fields of a product that is new. An existing one gets them from a later list. */
  readonly ifNew?: ProductChanges;
  /** What a product that is new has where the list has no value. An existing one keeps what it has. */
  readonly defaults?: Omit<ProductChanges, 'price' | 'metadata'>;
  /** Rejects it where it would empty one of `soldFields` of an existing product. */
  readonly keepsSold?: boolean;
}

export interface ImportResult {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Invalid products, by SKU. They do not keep the others out. */
  readonly rejected: ReadonlyMap<string, DomainError>;
  /** Existing products of which a field of `soldFields` was emptied, or would be without `keepsSold`. */
  readonly emptied: EmptiedCounts;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Bulk upsert by SKU: inserts new products and updates those that differ. Fields that the list omits are unchanged,
 * and a product without differences is not written, so that importing a list twice changes nothing.
 * @param list at most some hundreds, no SKU twice, in whatever normal form
 */
export const upsertProducts =
  ({ clock, newId }: Dependencies, list: readonly ImportedProduct[]): Work<ImportResult> =>
  async ({ products, productWords }) => {
    const at = clock.now();
    const existing = finderIn(await products.findBy('sku', skusOf(list)));
    const different = list.filter((imported) => !matches(existing(imported), imported));
    // By id, as orders do, so that an import and an order of several products cannot deadlock.
    const toUpdate = different.flatMap((imported) => existing(imported)?.id ?? []);
    const locked = finderIn(await products.lockBy('id', toUpdate));
    const added: Product[] = [];
    const updated: [before: Product, after: Product][] = [];
    const rejected = new Map<string, DomainError>();
    let emptied: EmptiedCounts = {};
    for (const imported of different) {
      const before = locked(imported);
      const fields = before === undefined ? [] : emptiedFields(before, imported);
      try {
        if (before === undefined) added.push(createImported(imported, newId(), at));
        else if (!matches(before, imported)) updated.push([before, changeImported(before, imported, at)]);
        emptied = withEmptied(emptied, fields);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        rejected.set(imported.sku, error);
        if (imported.keepsSold) emptied = withEmptied(emptied, fields);
      }
    }
    await products.addAll(added.toSorted(bySkuAscending));
    await products.saveAll(updated.map(([, after]) => after));
    await indexNew(productWords, added);
    await indexChanged(productWords, updated);
    const unchanged = list.length - added.length - updated.length - rejected.size;
    return { added: added.length, updated: updated.length, unchanged, rejected, emptied };
  };

/** Inserts the products whose SKUs do not exist, and keeps the others unchanged. @param list as for `upsertProducts` */
export const insertMissingProducts =
  ({ clock, newId }: Dependencies, list: readonly ImportedProduct[]): Work<ImportResult> =>
  async ({ products, productWords }) => {
    const at = clock.now();
    const existing = finderIn(await products.findBy('sku', skusOf(list)));
    const missing = list.filter((imported) => existing(imported) === undefined);
    const added = missing.map((imported) => createImported(imported, newId(), at));
    await products.addAll(added.toSorted(bySkuAscending));
    await indexNew(productWords, added);
    const unchanged = list.length - missing.length;
    return { added: missing.length, updated: 0, unchanged, rejected: new Map(), emptied: {} };
  };

/** Two imports that add the same SKUs at once do so in this order, so that they cannot deadlock. */
const bySkuAscending = ({ sku }: Product, { sku: other }: Product): number =>
  sku === other ? 0 : (sku ?? '') < (other ?? '') ? -1 : 1;

const skusOf = (list: readonly ImportedProduct[]): string[] =>
  list.flatMap(({ sku }) => [...new Set([sku, sku.normalize('NFC')])]);

const finderIn = (products: readonly Product[]) => {
  const bySku = new Map(products.map((product) => [product.sku, product]));
  return ({ sku }: ImportedProduct): Product | undefined => bySku.get(sku) ?? bySku.get(sku.normalize('NFC'));
};

/** Finds the existing products of a list. */
export const findImported =
  (list: readonly ImportedProduct[]): Reading<(imported: ImportedProduct) => Product | undefined> =>
  async ({ products }) =>
    finderIn(await products.findBy('sku', skusOf(list)));

/** @throws DomainError 'validation', also for a field that a new product lacks */
export const createImported = (
  { ifNew, defaults, keepsSold: _, ...given }: ImportedProduct,
  id: ProductId,
  at: Instant,
): Product => {
  const { name, price = {}, metadata, ...fields } = { ...ifNew, ...given };
  const { amount, currency } = { ...ifNew?.price, ...price };
  const patch = { ...ifNew?.metadata, ...metadata };
  if (name === undefined || amount === undefined || currency === undefined) {
    // Without a typo in its SKU the product may exist, and need neither.
    const invalidSku = Product.rules.sku.violation(given.sku);
    throw invalidSku === undefined ? missingFields(name, amount, currency) : invalidField('sku', invalidSku);
  }
  const details = { ...Product.defaults, ...defaults, ...fields, name, price: { amount, currency } };
  return Product.create(id, { ...details, metadata: Metadata.patched(Metadata.none, patch) }, at);
};

const missingFields = (
  name: string | undefined,
  amount: number | undefined,
  currency: string | undefined,
): DomainError => {
  const isPriceMissing = amount === undefined && currency === undefined;
  const price = isPriceMissing ? { price: amount } : { 'price.amount': amount, 'price.currency': currency };
  const errors = Object.entries({ name, ...price })
    .filter(([, value]) => value === undefined)
    .map(([field]) => ({ field, message: 'is required for a new product' }));
  return new DomainError('validation', 'A new product needs a name and a price.', errors);
};

/** @throws DomainError 'validation' */
export const changeImported = (before: Product, imported: ImportedProduct, at: Instant): Product => {
  if (imported.keepsSold) requireNotEmptied(before, imported);
  return Product.change(before, { ...merged(before, imported), sku: imported.sku }, at);
};

/** The fields that an import gives to an existing product. A price and metadata are merged. */
const merged = (
  product: Product,
  { sku: _, ifNew: __, defaults: ___, keepsSold: ____, price, metadata, ...fields }: ImportedProduct,
): Partial<ProductDetails> => ({
  ...fields,
  ...(price && { price: { ...product.price, ...price } }),
  ...(metadata && { metadata: Metadata.patched(product.metadata, metadata) }),
});

const matches = (product: Product | undefined, imported: ImportedProduct): boolean =>
  product !== undefined &&
  Object.entries(merged(product, imported)).every(([field, value]) =>
    isSame(value, product[field as keyof Product]),
  );
