import type { Review } from '#domain/review.ts';
import type { Operation } from '../client.ts';
import type { Shop } from '../shop.ts';
import { keyOfDeletion } from '../stories/reviews.ts';
import { allIn } from './evidence.ts';
import type { Problems } from './judgement.ts';

/** A user has one review of a product, and what a client was told of is there, unless staff wanted to delete it. */
export function* judgeReviews({ tables }: Shop, operations: readonly Operation[]): Problems {
  const reviews = allIn(tables.reviews);
  const same = Map.groupBy(reviews, ({ userId, productId }) => `${userId} has reviewed ${productId}`);
  for (const [what, { length }] of same) if (length > 1) yield `${what} ${length} times.`;
  const ids = new Set(reviews.map(({ id }) => id));
  const sent = new Set(operations.filter(({ wasSent }) => wasSent).map(({ key }) => key));
  for (const { key, finalResponses } of operations) {
    if (!key.startsWith('review-')) continue;
    for (const response of finalResponses) {
      if (!response.startsWith('{')) continue;
      const { id }: Review = JSON.parse(response);
      if (!ids.has(id) && !sent.has(keyOfDeletion(id)))
        yield `${key} was told of the review ${id}, which is none.`;
    }
  }
}
