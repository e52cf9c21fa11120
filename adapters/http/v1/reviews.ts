import type { UseCases } from '#application/portico.ts';
import type { OrderItemId } from '#domain/order-item.ts';
import type { ProductId } from '#domain/product.ts';
import { Review } from '#domain/review.ts';
import type { UserId } from '#domain/user.ts';
import { created, many, nothing, one } from '../answers.ts';
import { id, integer, nullable, text } from '../codecs.ts';
import { record } from '../record.ts';
import { type Route, route } from '../route.ts';
import { resourceView } from '../view.ts';

const itemId = id<OrderItemId>();
const rating = integer(Review.rules.rating);
const words = { title: nullable(text(Review.rules.title)), body: nullable(text(Review.rules.body)) };

const view = resourceView<Review>()('Review', {
  itemId,
  productId: id<ProductId>(),
  userId: id<UserId>(),
  rating,
  ...words,
});

export const reviewRoutes = ({ reviews }: UseCases): readonly Route[] => [
  route('GET /reviews', reviews.list, {
    summary: 'Lists reviews',
    filters: { itemId, productId: id<ProductId>(), userId: id<UserId>() },
    input: ({ filter, page }) => ({ filter, page }),
    answer: many(view),
  }),
  route('POST /reviews', reviews.write, {
    summary: 'Writes a review',
    body: record({ itemId, rating }, words),
    input: ({ body }) => ({ title: null, body: null, ...body }),
    answer: created(view),
  }),
  route('GET /reviews/{id}', reviews.get, {
    summary: 'Shows a review',
    input: ({ path }) => path.id,
    answer: one(view),
  }),
  route('PATCH /reviews/{id}', reviews.change, {
    summary: 'Changes a review',
    body: record({}, { rating, ...words }),
    input: ({ path, seen, body }) => ({ id: path.id, seen, changes: body }),
    answer: one(view),
  }),
  route('DELETE /reviews/{id}', reviews.remove, {
    summary: 'Removes a review',
    input: ({ path, seen }) => ({ id: path.id, seen }),
    answer: nothing,
  }),
];
