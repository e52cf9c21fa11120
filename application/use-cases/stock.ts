import type { Instant } from '#domain/instant.ts';
import type { OrderId, OrderItem } from '#domain/order.ts';
import { Product, productUnavailable } from '#domain/product.ts';
import { Quantity } from '#domain/quantity.ts';
import { existingProduct } from '../found.ts';
import type { Repositories } from '../ports/repositories.ts';
import { every } from '../read-pages.ts';

type Products = Repositories['products'];

/**
 * Takes from a product's stock, and gives the product as it was ordered. Only a counted product is held, so that the
 * buyers of one that never runs out do not wait for each other.
 * @param seen the product as it was found, which may have changed since
 * @throws DomainError 'product-not-found', 'product-unavailable', 'out-of-stock'
 */
export const take = async (
  products: Products,
  seen: Product,
  quantity: Quantity,
  at: Instant,
): Promise<Product> => {
  const product = seen.stock === null ? seen : await existingProduct(products.hold(seen.id));
  const after = Product.take(product, quantity, at);
  if (after !== product) await products.save(after);
  return product;
};

/**
 * Takes what an item that is there already needs to become larger. All of an item is taken from a counted stock or none
 * of it, so one that was ordered before its product was counted is now taken as a whole.
 * @returns whether it was taken from a counted stock
 * @throws DomainError 'product-unavailable', 'out-of-stock'
 */
export const takeMore = async (
  products: Products,
  item: OrderItem,
  larger: Quantity,
  at: Instant,
): Promise<boolean> => {
  const product = await products.hold(item.productId);
  if (product === undefined) throw productUnavailable();
  const missing = item.counted ? Quantity.minus(larger, item.quantity) : larger;
  const after = Product.take(product, missing, at);
  if (after !== product) await products.save(after);
  return product.stock !== null;
};

/** Gives back what an item took. A product that was deleted, or is counted no more, takes nothing back. */
export const giveBack = async (
  products: Products,
  item: OrderItem,
  quantity: Quantity,
  at: Instant,
): Promise<void> => {
  if (!item.counted) return;
  const product = await products.hold(item.productId);
  if (product === undefined) return;
  const after = Product.giveBack(product, quantity, at);
  if (after !== product) await products.save(after);
};

/** Gives back all that an order took. */
export const giveBackAll = async (
  products: Products,
  orderItems: Repositories['orderItems'],
  orderId: OrderId,
  at: Instant,
): Promise<void> => {
  const items: OrderItem[] = [];
  for await (const item of every(orderItems, { orderId })) items.push(item);
  // In the order of the products' ids, so that two orders holding the same products cannot wait for each other.
  items.sort((one, other) => (one.productId < other.productId ? -1 : 1));
  for (const item of items) await giveBack(products, item, item.quantity, at);
};
