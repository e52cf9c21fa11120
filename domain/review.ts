import { DomainError } from './errors.ts';
import type { Instant } from './instant.ts';
import { Order, type OrderItem, type OrderItemId } from './order.ts';
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

/** A buyer's review of a purchase: at most one for each order item. */
export interface Review extends Resource<ReviewId>, ReviewDetails {
  readonly itemId: OrderItemId;
  readonly productId: ProductId;
  readonly userId: UserId;
}

export const Review = {
  rules: { rating: integer(1, 5), title: label(0, 120), body: text(0, 5000) },

  /** @throws DomainError 'validation'; 'invalid-state' when the order was never paid */
  write: (id: ReviewId, order: Order, item: OrderItem, details: ReviewDetails, at: Instant): Review => {
    if (!Order.wasPaid(order)) {
      throw new DomainError('invalid-state', 'An item can be reviewed once its order is paid.');
    }
    return {
      ...newResource(id, at),
      ...requireValid(Review.rules, details),
      itemId: item.id,
      productId: item.productId,
      userId: order.userId,
    };
  },

  /** @throws DomainError 'validation' */
  change: (review: Review, details: Partial<ReviewDetails>, at: Instant): Review =>
    updated(review, requireValidChanges<Partial<ReviewDetails>>(Review.rules, review, details), at),
};
