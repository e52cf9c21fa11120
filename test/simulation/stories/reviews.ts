import type { Order, OrderItemId } from '#domain/order.ts';
import type { Review, ReviewId } from '#domain/review.ts';
import { newOperation } from '../client.ts';
import { personal } from '../shop.ts';
import { type Actors, impatiently } from './actors.ts';
import { waitFor } from './payments.ts';

const second = 1_000;
const minute = 60 * second;

/** Stories with these seeds have reviews. All others are as they were recorded. */
export const hasReviews = (seed: number): boolean => seed % 10 === 8;

/** The key under which staff delete a review. */
export const keyOfDeletion = (id: ReviewId): string => `unreview-${id}`;

/** The buyer reviews the product of each order, through its items, and staff delete some of the reviews. */
export const reviewers = (actors: Actors): readonly Promise<void>[] =>
  actors.shop.orders.flatMap(({ id }, index) => [
    review(actors, id, `review-${index + 1}-1`),
    review(actors, id, `review-${index + 1}-2`),
    ...(actors.random.chance(0.3) ? [remove(actors, `moderator-${index + 1}`)] : []),
  ]);

/** Mostly once the order is paid. */
const review = async (actors: Actors, orderId: Order['id'], key: string): Promise<void> => {
  const { shop, random } = actors;
  if (random.chance(0.8) && (await waitFor(actors, orderId, ['succeeded'], key)) === undefined) return;
  const items = await shop.store.read(({ orderItems }) => orderItems.page({ orderId }, { limit: 10 }));
  const itemId = random.pick(items.rows).id as OrderItemId;
  const input = { itemId, rating: random.between(1, 5), title: null, body: personal };
  const one = newOperation(key, shop.ada, (to) => to.useCases.reviews.write, input);
  await Promise.all(impatiently(actors, one));
};

const remove = async (actors: Actors, name: string): Promise<void> => {
  const { shop, schedule, random } = actors;
  const moderator = { name, isGone: false };
  for (let looks = 0; looks < 4; looks += 1) {
    await schedule.sleep(moderator, random.pick([5 * second, minute, 10 * minute]), 'looks at the reviews');
    const { rows } = await shop.store.read(({ reviews }) => reviews.page({}, { limit: 10 }));
    const [found]: readonly Review[] = rows;
    if (found === undefined) continue;
    const input = { id: found.id, expectedVersions: undefined };
    const one = newOperation(keyOfDeletion(found.id), shop.staff, (to) => to.useCases.reviews.remove, input);
    await Promise.all(impatiently(actors, one));
    return;
  }
};
