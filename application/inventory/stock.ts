import type { Instant } from '#domain/instant.ts';
import type { OrderId, OrderItem } from '#domain/order.ts';
import { Product, type ProductId, productUnavailable } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { readAll } from '../pages.ts';
import type { Repositories } from '../ports/repositories.ts';
import { requireProduct } from '../preconditions.ts';

type Products = Repositories['products'];

/**
 * Reserves stock of a product, and returns the product as it was ordered. Only a counted product is locked, so that
 * concurrent orders of an uncounted one do not wait for each other.
 * @param found the product as it was read without a lock; it may have changed since
 * @throws DomainError 'product-not-found', else 'product-unavailable', else 'validation' when the quantity is no multiple of the
 *   product's step, else 'out-of-stock'
 */
export const reserveStock = async (
  products: Products,
  found: Product,
  quantity: Quantity,
  at: Instant,
): Promise<Product> => {
  const product = found.stock === null ? found : requireProduct(await products.lock(found.id));
  const after = Product.reserve(product, quantity, at);
  if (after !== product) await products.save(after);
  return product;
};

/**
 * Reserves what an existing item needs for its new, larger quantity. An item is reserved from a counted stock as a whole
 * or not at all. One that was ordered before its product was counted is now reserved in full.
 * @returns whether the item is reserved from a counted stock
 * @throws DomainError 'product-unavailable', else 'validation' when the larger quantity is no multiple of the product's step, else
 *   'out-of-stock'
 */
export const reserveMore = async (
  products: Products,
  item: OrderItem,
  larger: Quantity,
  at: Instant,
): Promise<boolean> => {
  const product = await products.lock(item.productId);
  if (product === undefined) throw productUnavailable();
  const missing = item.counted ? Quantity.minus(larger, item.quantity) : larger;
  const after = Product.reserve(product, missing, at, larger);
  if (after !== product) await products.save(after);
  return product.stock !== null;
};

/**
 * Releases what an existing item no longer needs for its new, smaller quantity. A deleted product has no step, and neither it nor one
 * that is no longer counted gets anything back. Only a counted product is locked.
 * @throws DomainError 'validation' when the smaller quantity is no multiple of the product's step
 */
export const releaseRest = async (
  products: Products,
  item: OrderItem,
  smaller: Quantity,
  at: Instant,
): Promise<void> => {
  const product = await (item.counted ? products.lock(item.productId) : products.find(item.productId));
  if (product === undefined) return;
  Product.requireQuantity(product, smaller);
  if (!item.counted) return;
  const after = Product.release(product, Quantity.minus(item.quantity, smaller), at);
  if (after !== product) await products.save(after);
};

/** Releases all stock that an item reserved. Does nothing when the product was deleted or is no longer counted. */
export const releaseStock = async (products: Products, item: OrderItem, at: Instant): Promise<void> => {
  if (!item.counted) return;
  const product = await products.lock(item.productId);
  if (product === undefined) return;
  const after = Product.release(product, item.quantity, at);
  if (after !== product) await products.save(after);
};

/** Releases all stock that an order reserved. Products are locked in ascending order of id, so that two orders cannot deadlock. */
export const releaseOrderStock = async (
  products: Products,
  orderItems: Repositories['orderItems'],
  orderId: OrderId,
  at: Instant,
): Promise<void> => {
  const reserved = new Map<ProductId, Quantity>();
  for await (const { counted, productId, quantity } of readAll(orderItems, { orderId }))
    if (counted) reserved.set(productId, Quantity.plus(reserved.get(productId) ?? Quantity.zero, quantity));
  const locked = await products.lockBy('id', [...reserved.keys()]);
  const released = locked.map((product) =>
    Product.release(product, reserved.get(product.id) ?? Quantity.zero, at),
  );
  await products.saveAll(released.filter((after, index) => after !== locked[index]));
};
