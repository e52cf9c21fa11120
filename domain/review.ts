import { DomainError } from './errors.ts';
import type { Instant } from './instant.ts';
import type { Order, OrderItem, OrderItemId, OrderStatus } from './order.ts';
import type { ProductId } from './product.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';
import { integer, requireValid, requireValidChanges } from './rule.ts';
import { label, text } from './text.ts';
import type { UserId } from './user.ts';

export type ReviewId = Id<'review'>;

export interface ReviewDetails {
  /** From 1 to 5. */
  readonly rating: number;
  readonly title: string | null;
  readonly body: string | null;
}

/** A buyer's review of a product, through an item of an order: one of each product by each user. */
export interface Review extends Resource<ReviewId>, ReviewDetails {
  readonly itemId: OrderItemId;
  readonly productId: ProductId;
  readonly userId: UserId;
  /**
   * Names the user and the product. Unique among all reviews. Null where an earlier release let the user review the product
   * several times, and this is not the first of those.
   */
  readonly userProduct: string | null;
}

export const Review = {
  rules: { rating: integer(1, 5), title: label(0, 120), body: text(0, 5000) },

  /** @throws DomainError 'validation'; 'invalid-state' when the order is not paid, is canceled or was refunded */
  write: (id: ReviewId, order: Order, item: OrderItem, details: ReviewDetails, at: Instant): Review => {
    const obstacle = obstacles[order.status];
    if (obstacle !== undefined) throw new DomainError('invalid-state', obstacle);
    return {
      ...newResource(id, at),
      ...requireValid(Review.rules, details),
      itemId: item.id,
      productId: item.productId,
      userId: order.userId,
      userProduct: `${order.userId}:${item.productId}`,
    };
  },

  /** @throws DomainError 'validation' */
  change: (review: Review, details: Partial<ReviewDetails>, at: Instant): Review =>
    updated(review, requireValidChanges<Partial<ReviewDetails>>(Review.rules, review, details), at),
};

/** Why no item of an order with this status can be reviewed. */
const obstacles: Partial<Record<OrderStatus, string>> = {
  pending: 'An item can be reviewed once its order is paid.',
  canceled: 'The order is canceled, so its items cannot be reviewed.',
  refunded: 'The order was refunded, so its items cannot be reviewed.',
};
