import { DomainError } from './errors.ts';
import type { Id } from './id.ts';
import type { Instant } from './instant.ts';
import type { Money } from './money.ts';
import { Quantity } from './quantity.ts';
import { born, changed, type Resource } from './resource.ts';
import { keep, text } from './rule.ts';

export type ProductId = Id<'product'>;

export const productStatuses = ['draft', 'active', 'archived'] as const;
export type ProductStatus = (typeof productStatuses)[number];

/** What a merchant says about a product. */
export interface ProductDetails {
  readonly name: string;
  readonly price: Money;
  readonly description: string | null;
  /** The merchant's own number for it; no two products share one. */
  readonly sku: string | null;
  /** Only an active product can be ordered, and customers see no other. */
  readonly status: ProductStatus;
  /** What is left to sell; null when nobody counts. */
  readonly stock: Quantity | null;
}

export interface Product extends Resource<ProductId>, ProductDetails {}

export const Product = {
  /** What a product is where nothing is said of it. */
  defaults: { description: null, sku: null, status: 'active', stock: null } as const,

  rules: {
    name: text(1, 200),
    description: text(0, 5000),
    sku: text(1, 64),
  },

  /** @throws DomainError 'validation' */
  create: (id: ProductId, details: ProductDetails, at: Instant): Product => ({
    ...born(id, at),
    ...keep(Product.rules, details),
  }),

  /** @throws DomainError 'validation' */
  change: (product: Product, details: Partial<ProductDetails>, at: Instant): Product =>
    changed(product, keep<Partial<ProductDetails>>(Product.rules, details), at),

  /**
   * Takes a quantity out of a counted stock; an uncounted product never runs out and stays as it is.
   * @throws DomainError 'product-unavailable' unless active, 'out-of-stock' when less is left
   */
  reserve: (product: Product, quantity: Quantity, at: Instant): Product => {
    if (product.status !== 'active') throw productUnavailable();
    if (product.stock === null) return product;
    if (product.stock < quantity) throw new DomainError('out-of-stock', 'There is not enough in stock.');
    return changed(product, { stock: Quantity.minus(product.stock, quantity) }, at);
  },

  /**
   * Puts back what was taken, unless the product has stopped being counted since. A stock that was counted anew meanwhile
   * never says more than a stock can be.
   */
  release: (product: Product, quantity: Quantity, at: Instant): Product =>
    product.stock === null
      ? product
      : changed(
          product,
          { stock: Quantity.least(Quantity.plus(product.stock, quantity), Quantity.most) },
          at,
        ),
};

export const productUnavailable = (): DomainError =>
  new DomainError('product-unavailable', 'The product cannot be ordered now.');
