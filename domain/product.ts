import { DomainError, type FieldError, invalidField } from './errors.ts';
import type { Instant } from './instant.ts';
import { Metadata } from './metadata.ts';
import type { Money } from './money.ts';
import { Quantity } from './quantity.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';
import { listRule, requireValid, requireValidChanges } from './rule.ts';
import { tag } from './tag.ts';
import type { TaxRate } from './tax.ts';
import { identifier, label, text } from './text.ts';
import { imageUrl } from './urls.ts';

export type ProductId = Id<'product'>;

export const productStatuses = ['draft', 'active', 'archived'] as const;
export type ProductStatus = (typeof productStatuses)[number];

/** The fields of a product that the merchant sets. */
export interface ProductDetails {
  readonly name: string;
  readonly price: Money;
  readonly description: string | null;
  /** The merchant's own number (stock keeping unit). Unique among all products. Stored in NFC. */
  readonly sku: string | null;
  /** Customers can see and order active products only. */
  readonly status: ProductStatus;
  /** The quantity that is left to sell; null when the stock is not counted. */
  readonly stock: Quantity | null;
  /** Ordered quantities are whole multiples of it; null for any thousandths. Stock is not bound to it. */
  readonly quantityStep: Quantity | null;
  /** Addresses of images, as they are given. The first one is the main image. */
  readonly imageUrls: readonly string[];
  readonly tags: readonly string[];
  /** The price includes this tax; null when none is shown. */
  readonly taxRate: TaxRate | null;
  readonly metadata: Metadata;
}

const maxImageUrls = 10;
const maxTags = 20;

export interface Product extends Resource<ProductId>, ProductDetails {}

export const Product = {
  /** Defaults of the optional fields. */
  defaults: {
    description: null,
    sku: null,
    status: 'active',
    stock: null,
    quantityStep: null,
    imageUrls: [],
    tags: [],
    taxRate: null,
    metadata: Metadata.none,
  } as const satisfies Partial<ProductDetails>,

  rules: {
    name: label(1, 200),
    description: text(0, 5000),
    sku: identifier(1, 64),
    imageUrls: listRule(imageUrl, maxImageUrls, { keepsStored: true }),
    tags: listRule(tag, maxTags, { areUnique: true }),
    metadata: Metadata.rule,
  },

  maxImageUrls,
  maxTags,

  /** @throws DomainError 'validation' */
  create: (id: ProductId, details: ProductDetails, at: Instant): Product => ({
    ...newResource(id, at),
    ...requireValid(Product.rules, details),
  }),

  /** @throws DomainError 'validation' */
  change: (product: Product, details: Partial<ProductDetails>, at: Instant): Product =>
    updated(product, requireValidChanges<Partial<ProductDetails>>(Product.rules, product, details), at),

  /** Whether it can be ordered, as far as stock is not concerned. */
  isAvailable: ({ status }: Product): boolean => status === 'active',

  /** Why a quantity cannot be ordered: `must be a multiple of 0.25`. @returns undefined when it can be */
  quantityViolation: ({ quantityStep: step }: Product, quantity: Quantity): string | undefined =>
    step === null || Quantity.isMultiple(quantity, step)
      ? undefined
      : `must be a multiple of ${Quantity.toNumber(step)}`,

  /** @throws DomainError 'validation' on `quantity` unless it is a whole multiple of the product's step */
  requireQuantity: (product: Product, quantity: Quantity): void => {
    const violation = Product.quantityViolation(product, quantity);
    if (violation !== undefined) throw invalidField('quantity', violation);
  },

  /** Whether the stock has a quantity. A stock that is not counted never ends. */
  hasInStock: ({ stock }: Product, quantity: Quantity): boolean => stock === null || stock >= quantity,

  /**
   * Reserves a quantity from the stock. A product without counted stock is returned unchanged.
   * @param ordered the whole quantity of the item, where only a part of it is reserved now
   * @throws DomainError, the first that applies: 'product-unavailable' unless active, 'validation' unless what is ordered is a
   *   multiple of the step, 'out-of-stock' when the stock has less
   */
  reserve: (product: Product, quantity: Quantity, at: Instant, ordered = quantity): Product => {
    if (!Product.isAvailable(product)) throw productUnavailable();
    Product.requireQuantity(product, ordered);
    if (!Product.hasInStock(product, quantity)) throw outOfStock();
    if (product.stock === null) return product;
    return updated(product, { stock: Quantity.minus(product.stock, quantity) }, at);
  },

  /**
   * Releases a reserved quantity. Does nothing when the stock is no longer counted; the result is capped at the maximum
   * stock, because the stock may have been set in between.
   */
  release: (product: Product, quantity: Quantity, at: Instant): Product =>
    product.stock === null
      ? product
      : updated(product, { stock: Quantity.min(Quantity.plus(product.stock, quantity), Quantity.max) }, at),

  /**
   * Corrects a counted stock.
   * @param change what is added, or removed when it is negative
   * @throws DomainError 'invalid-state' when the stock is not counted, 'out-of-stock' when it would fall below 0,
   *   'validation' when it would exceed the maximum
   */
  adjustStock: (product: Product, change: Quantity, at: Instant): Product => {
    if (product.stock === null)
      throw new DomainError('invalid-state', 'The stock of the product is not counted. Set its stock first.');
    const stock = Quantity.plus(product.stock, change);
    if (stock < Quantity.zero)
      throw new DomainError(
        'out-of-stock',
        `There is not enough in stock: ${Quantity.toNumber(product.stock)} is left.`,
      );
    if (stock > Quantity.max)
      throw invalidField('change', `must leave at most ${Quantity.toNumber(Quantity.max)} in stock`);
    return updated(product, { stock }, at);
  },
};

export const productUnavailable = (fields?: readonly FieldError[]): DomainError =>
  new DomainError('product-unavailable', 'The product cannot be ordered now.', fields);

export const outOfStock = (fields?: readonly FieldError[]): DomainError =>
  new DomainError('out-of-stock', 'There is not enough in stock.', fields);
