import { Metadata, type MetadataPatch } from '#domain/metadata.ts';
import type { Money } from '#domain/money.ts';
import { Product, type ProductDetails, type ProductId } from '#domain/product.ts';
import type { Quantity } from '#domain/quantity.ts';
import { requireValid } from '#domain/rule.ts';
import { Search, type SearchTerm } from '#domain/search.ts';
import { tag as tagRule } from '#domain/tag.ts';
import { indexChanged, indexNew } from '../jobs/product-index.ts';
import { type Collections, Page, type PageRequest } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import {
  type Caller,
  type ExpectedVersions,
  isStaff,
  productNotFound,
  requireProduct,
  requireVersion,
} from '../preconditions.ts';
import { command, query } from '../use-case.ts';
import {
  findImported,
  type ImportedProduct,
  insertMissingProducts,
  upsertProducts,
} from './product-import.ts';

type Filter = Collections['products']['filter'];

export interface ListProducts {
  readonly filter: Filter & {
    /** Words, for each of which a product has one that begins with it. */
    readonly q?: string;
    readonly tag?: string;
    /** Finds counted stocks that are lower. */
    readonly stockBelow?: Quantity;
  };
  readonly page: PageRequest<ProductId>;
}

export interface ChangeProduct {
  readonly id: ProductId;
  readonly expectedVersions: ExpectedVersions;
  /** The changed fields; a price may be partial (JSON merge patch, RFC 7396). */
  readonly changes: Partial<Omit<ProductDetails, 'price'>> & { readonly price?: Partial<Money> };
  /** Merged into the metadata name by name. Metadata among the changes replace them instead. */
  readonly metadataPatch?: MetadataPatch | undefined;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
}

/** The catalogue. Staff manage it, customers see active products. */
export const productUseCases = ({ clock, newId }: Dependencies) => ({
  /** @throws DomainError 'validation' */
  list: query(
    'products:read',
    ['validation'],
    (caller, { filter: given, page }: ListProducts) =>
      async ({ products, productWords }) => {
        const { q, tag, stockBelow, ...filter } = given;
        const terms = termsOf(q, tag);
        if (!isStaff(caller) && (filter.status ?? 'active') !== 'active') return Page.empty;
        const visible = isStaff(caller) ? filter : { ...filter, status: 'active' as const };
        return pageBySku(visible, (matching) =>
          terms.length === 0 && stockBelow === undefined
            ? products.page(matching, page)
            : productWords.search(
                { terms, filter: stockBelow === undefined ? matching : { ...matching, stockBelow } },
                page,
              ),
        );
      },
  ),

  /** @throws DomainError 'product-not-found' */
  get: query('products:read', ['product-not-found'], (caller, id: ProductId) => async ({ products }) => {
    const product = requireProduct(await products.find(id));
    if (!isVisible(caller, product)) throw productNotFound();
    return product;
  }),

  /** @throws DomainError 'validation', 'conflict' */
  create: command(
    'products:write',
    ['validation', 'conflict'],
    (_caller, details: ProductDetails) =>
      async ({ products, productWords }) => {
        const product = Product.create(newId(), details, clock.now());
        await products.add(product);
        await indexNew(productWords, [product]);
        return product;
      },
  ),

  /** Bulk upsert by SKU. @throws DomainError 'conflict' when another request has just added one of them */
  upsert: command('products:write', ['conflict'], (_caller, list: readonly ImportedProduct[]) =>
    upsertProducts({ clock, newId }, list),
  ),

  /** The existing product of each entry of an import list, by its SKU. */
  findImported: query(
    'products:read',
    [],
    (_caller, list: readonly ImportedProduct[]) => findImported(list),
    'staff',
  ),

  /** Bulk insert of new SKUs only. @throws DomainError 'conflict' as `upsert` does */
  insertMissing: command('products:write', ['conflict'], (_caller, list: readonly ImportedProduct[]) =>
    insertMissingProducts({ clock, newId }, list),
  ),

  /** @throws DomainError 'validation', 'conflict', 'product-not-found', 'precondition-failed' */
  change: command(
    'products:write',
    ['product-not-found', 'precondition-failed', 'validation', 'conflict'],
    (_caller, { id, expectedVersions, changes, metadataPatch }: ChangeProduct) =>
      async ({ products, productWords }) => {
        const product = requireProduct(await products.lock(id));
        requireVersion(product, expectedVersions);
        if (Object.keys(changes).length === 0 && metadataPatch === undefined) return product;
        const price = { ...product.price, ...changes.price };
        const metadata = metadataPatch && { metadata: Metadata.merge(product.metadata, metadataPatch) };
        const after = Product.change(product, { ...changes, price, ...metadata }, clock.now());
        await products.save(after);
        await indexChanged(productWords, [[product, after]]);
        return after;
      },
  ),

  /** Orders that contain the product are not affected. @throws DomainError 'product-not-found', 'precondition-failed' */
  remove: command(
    'products:write',
    ['product-not-found', 'precondition-failed'],
    (_caller, { id, expectedVersions }: Pick<ChangeProduct, 'id' | 'expectedVersions'>) =>
      async ({ products, productWords }) => {
        requireVersion(requireProduct(await products.lock(id)), expectedVersions);
        await products.remove(id);
        await productWords.replace([{ productId: id, words: new Set() }]);
      },
  ),
});

/** What a product must have to match a search and a tag. @throws DomainError 'validation' */
const termsOf = (q: string | undefined, tag: string | undefined): readonly SearchTerm[] => {
  requireValid(listRules, { ...(q !== undefined && { q }), ...(tag !== undefined && { tag }) });
  return [
    ...(q === undefined ? [] : Search.termsOf(q)),
    ...(tag === undefined ? [] : [Search.termOfTag(tag)]),
  ];
};

const listRules = { q: Search.rules.text, tag: tagRule };

/** An SKU is searched for as it is given, because one from before the rule may be stored so, and then as it is kept today. */
const pageBySku = async (
  filter: Filter,
  read: (filter: Filter) => Promise<Page<Product>>,
): Promise<Page<Product>> => {
  const found = await read(filter);
  const sku = filter.sku?.normalize('NFC');
  if (sku === undefined || sku === filter.sku || found.rows.length > 0) return found;
  return read({ ...filter, sku });
};

const isVisible = (caller: Caller, product: Product): boolean =>
  product.status === 'active' || isStaff(caller);
