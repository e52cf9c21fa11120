import type { Id } from './id.ts';
import type { Instant } from './instant.ts';
import { Money } from './money.ts';
import type { OrderId } from './order.ts';
import type { Product, ProductId } from './product.ts';
import type { Quantity } from './quantity.ts';
import { born, changed, type Resource } from './resource.ts';

export type OrderItemId = Id<'order-item'>;

/** A line of an order. It keeps the product's name and price as they were, so it outlives the product. */
export interface OrderItem extends Resource<OrderItemId> {
  readonly orderId: OrderId;
  readonly productId: ProductId;
  readonly productName: string;
  readonly unitPrice: Money;
  readonly quantity: Quantity;
  readonly total: Money;
  /** Whether all of the quantity was taken from a counted stock, and is given back when the line goes. */
  readonly counted: boolean;
}

export const OrderItem = {
  /** @throws DomainError 'validation' when the total is more than money can be */
  of: (id: OrderItemId, orderId: OrderId, product: Product, quantity: Quantity, at: Instant): OrderItem => ({
    ...born(id, at),
    orderId,
    productId: product.id,
    productName: product.name,
    unitPrice: product.price,
    quantity,
    total: Money.times(product.price, quantity),
    counted: product.stock !== null,
  }),

  /**
   * @param counted whether the whole of the new quantity was taken from a counted stock
   * @throws DomainError 'validation' when the total is more than money can be
   */
  resize: (item: OrderItem, quantity: Quantity, counted: boolean, at: Instant): OrderItem =>
    changed(item, { quantity, counted, total: Money.times(item.unitPrice, quantity) }, at),
};
