import { described } from '#adapters/wire/codec.ts';
import { id, integer, nullable, text } from '#adapters/wire/codecs.ts';
import { record } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { Review } from '#domain/review.ts';
import { created, many, nothing, one } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const itemId = described(id('order-item'), 'The item of an order that it is about.');
const rating = described(integer(Review.rules.rating), 'From 1 to 5.', 5);
const words = {
  title: described(nullable(text(Review.rules.title)), 'In a few words.', 'Fresh and bright'),
  body: described(nullable(text(Review.rules.body)), 'In more words.', 'Arrived two days after roasting.'),
};

const view = resourceView<Review>()('Review', {
  itemId,
  productId: described(id('product'), 'What was bought.'),
  userId: described(id('user'), 'Who bought it.'),
  rating,
  ...words,
});

export const reviewRoutes = ({ reviews }: UseCases) => [
  route('GET /reviews', reviews.list, {
    summary: 'Lists reviews',
    filters: { itemId, productId: id('product'), userId: id('user') },
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
