import { DomainError } from '#domain/errors.ts';
import { Money } from '#domain/money.ts';
import { Product, type ProductDetails } from '#domain/product.ts';
import { isSame } from '#domain/rule.ts';
import type { Clock, NewId } from '../ports/system.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { indexChanged, indexNew } from '../product-index.ts';

/** A product in an import list, identified by its SKU. */
export interface ImportedProduct
  extends Pick<ProductDetails, 'name' | 'price'>,
    Partial<Omit<ProductDetails, 'name' | 'price' | 'sku'>> {
  /** Looked for as it is given, because one from before the rule may be stored so, and then in NFC. */
  readonly sku: string;
}

export interface ImportResult {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Invalid products, by SKU. They do not keep the others out. */
  readonly rejected: ReadonlyMap<string, DomainError>;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Bulk upsert by SKU: inserts new products and updates those that differ. Fields that the list leaves out are unchanged,
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
    for (const imported of different) {
      const before = locked(imported);
      try {
        if (before === undefined) {
          added.push(Product.create(newId(), { ...Product.defaults, ...imported }, at));
        } else if (!matches(before, imported)) updated.push([before, Product.change(before, imported, at)]);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        rejected.set(imported.sku, error);
      }
    }
    await products.addAll(added.toSorted(bySkuAscending));
    await products.saveAll(updated.map(([, after]) => after));
    await indexNew(productWords, added);
    await indexChanged(productWords, updated);
    const unchanged = list.length - added.length - updated.length - rejected.size;
    return { added: added.length, updated: updated.length, unchanged, rejected };
  };

/** Inserts the products whose SKUs do not exist, and leaves the others unchanged. @param list as for `upsertProducts` */
export const insertMissingProducts =
  ({ clock, newId }: Dependencies, list: readonly ImportedProduct[]): Work<ImportResult> =>
  async ({ products, productWords }) => {
    const at = clock.now();
    const existing = finderIn(await products.findBy('sku', skusOf(list)));
    const missing = list.filter((imported) => existing(imported) === undefined);
    const added = missing.map((imported) =>
      Product.create(newId(), { ...Product.defaults, ...imported }, at),
    );
    await products.addAll(added.toSorted(bySkuAscending));
    await indexNew(productWords, added);
    const unchanged = list.length - missing.length;
    return { added: missing.length, updated: 0, unchanged, rejected: new Map() };
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

const matches = (product: Product | undefined, { price, ...imported }: ImportedProduct): boolean =>
  product !== undefined &&
  Money.equals(product.price, price) &&
  comparedFields.every((field) => imported[field] === undefined || isSame(imported[field], product[field]));

const comparedFields = [
  'name',
  'description',
  'status',
  'stock',
  'imageUrls',
  'tags',
  'taxRate',
  'metadata',
] as const;
