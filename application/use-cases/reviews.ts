import type { OrderItemId } from '#domain/order.ts';
import { Review, type ReviewDetails, type ReviewId } from '#domain/review.ts';
import { User } from '#domain/user.ts';
import type { Collections, PageRequest } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import {
  type ExpectedVersions,
  requireFound,
  requireOwner,
  requireOwnerOrStaff,
  requireVersion,
} from '../preconditions.ts';
import { command, query } from '../use-case.ts';

export interface ListReviews {
  readonly filter: Collections['reviews']['filter'];
  readonly page: PageRequest<ReviewId>;
}

export interface WriteReview extends ReviewDetails {
  readonly itemId: OrderItemId;
}

export interface ChangeReview {
  readonly id: ReviewId;
  readonly expectedVersions: ExpectedVersions;
  readonly changes: Partial<ReviewDetails>;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Reviews. Everyone can read them, the buyer writes, and staff can change or remove them. */
export const reviewUseCases = ({ clock, newId }: Dependencies) => ({
  list: query(
    'reviews:read',
    [],
    (_caller, { filter, page }: ListReviews) =>
      ({ reviews }) =>
        reviews.page(filter, page),
  ),

  get: query(
    'reviews:read',
    ['not-found'],
    (_caller, id: ReviewId) =>
      async ({ reviews }) =>
        requireFound(await reviews.find(id)),
  ),

  /** @throws DomainError 'invalid-state' until the order is paid, 'conflict' for a second one */
  write: command(
    'reviews:write',
    ['not-found', 'forbidden', 'invalid-state', 'conflict', 'validation'],
    (caller, { itemId, ...details }: WriteReview) =>
      async ({ users, orders, orderItems, reviews }) => {
        const item = requireFound(await orderItems.find(itemId));
        const order = requireFound(await orders.find(item.orderId));
        requireOwner(caller, order.userId);
        // An erasure empties reviews and keeps their ratings, so that a late one would stay.
        User.requireActive(requireFound(await users.find(order.userId)));
        const review = Review.write(newId(), order, item, details, clock.now());
        await reviews.add(review);
        return review;
      },
  ),

  change: command(
    'reviews:write',
    ['not-found', 'forbidden', 'precondition-failed', 'validation'],
    (caller, { id, expectedVersions, changes }: ChangeReview) =>
      async ({ reviews }) => {
        const review = requireFound(await reviews.lock(id));
        requireOwnerOrStaff(caller, review.userId);
        requireVersion(review, expectedVersions);
        if (Object.keys(changes).length === 0) return review;
        const after = Review.change(review, changes, clock.now());
        await reviews.save(after);
        return after;
      },
  ),

  remove: command(
    'reviews:write',
    ['not-found', 'forbidden', 'precondition-failed'],
    (caller, { id, expectedVersions }: Pick<ChangeReview, 'id' | 'expectedVersions'>) =>
      async ({ reviews }) => {
        const review = requireFound(await reviews.lock(id));
        requireOwnerOrStaff(caller, review.userId);
        requireVersion(review, expectedVersions);
        await reviews.remove(id);
      },
  ),
});
