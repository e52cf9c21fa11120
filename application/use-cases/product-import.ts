import { DomainError } from '#domain/errors.ts';
import { Money } from '#domain/money.ts';
import { Product, type ProductDetails } from '#domain/product.ts';
import type { Clock } from '../ports/clock.ts';
import type { NewId } from '../ports/ids.ts';
import type { Work } from '../ports/unit-of-work.ts';

/** What somebody else's list says of a product, which it knows by its sku. */
export interface ListedProduct
  extends Pick<ProductDetails, 'name' | 'price'>,
    Partial<Pick<ProductDetails, 'description' | 'status' | 'stock'>> {
  readonly sku: string;
}

/** What became of a list. */
export interface BroughtIn {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Those that break a rule, by their sku. They kept none of the others out. */
  readonly refused: ReadonlyMap<string, DomainError>;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
}

/**
 * Makes the catalogue say what a list says. What the list leaves out stays as it is, and a product that says all of it
 * already is not touched, so that to bring in a list again changes nothing.
 * @param list some hundreds at the most, and no sku twice
 */
export const bringIn =
  ({ clock, newId }: Dependencies, list: readonly ListedProduct[]): Work<BroughtIn> =>
  async ({ products }) => {
    const at = clock.now();
    const known = bySku(await products.among('sku', skusOf(list)));
    const differing = list.filter((listed) => !says(known.get(listed.sku), listed));
    const there = differing.filter(({ sku }) => known.has(sku));
    const held = bySku(await products.holdAmong('sku', skusOf(there)));
    const added: Product[] = [];
    const changed: Product[] = [];
    const refused = new Map<string, DomainError>();
    for (const listed of differing) {
      const before = held.get(listed.sku);
      try {
        if (before === undefined) added.push(Product.create(newId(), { ...Product.unsaid, ...listed }, at));
        else if (!says(before, listed)) changed.push(Product.change(before, listed, at));
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        refused.set(listed.sku, error);
      }
    }
    await products.addAll(added);
    await products.saveAll(changed);
    const unchanged = list.length - added.length - changed.length - refused.size;
    return { added: added.length, changed: changed.length, unchanged, refused };
  };

/** Adds what a list has and the catalogue has not; what is there stays as it is. @param list as for `bringIn` */
export const fillUp =
  ({ clock, newId }: Dependencies, list: readonly ListedProduct[]): Work<BroughtIn> =>
  async ({ products }) => {
    const at = clock.now();
    const known = bySku(await products.among('sku', skusOf(list)));
    const missing = list.filter(({ sku }) => !known.has(sku));
    await products.addAll(
      missing.map((listed) => Product.create(newId(), { ...Product.unsaid, ...listed }, at)),
    );
    const unchanged = list.length - missing.length;
    return { added: missing.length, changed: 0, unchanged, refused: new Map() };
  };

const skusOf = (list: readonly ListedProduct[]): string[] => list.map(({ sku }) => sku);

const bySku = (products: readonly Product[]): ReadonlyMap<string | null, Product> =>
  new Map(products.map((product) => [product.sku, product]));

const says = (product: Product | undefined, { price, ...listed }: ListedProduct): boolean =>
  product !== undefined &&
  Money.equals(product.price, price) &&
  fields.every((field) => listed[field] === undefined || listed[field] === product[field]);

const fields = ['name', 'description', 'status', 'stock'] as const;
