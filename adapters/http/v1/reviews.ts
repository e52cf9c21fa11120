import { described } from '#adapters/wire/codec.ts';
import { id, integer, nullable, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { Review } from '#domain/review.ts';
import { created, noContent, ok, page } from '../routing/responders.ts';
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
    responder: page(view),
  }),
  route('POST /reviews', reviews.write, {
    summary: 'Writes a review',
    body: strictObject({ itemId, rating }, words),
    input: ({ body }) => ({ title: null, body: null, ...body }),
    responder: created(view),
  }),
  route('GET /reviews/{id}', reviews.get, {
    summary: 'Shows a review',
    input: ({ path }) => path.id,
    responder: ok(view),
  }),
  route('PATCH /reviews/{id}', reviews.change, {
    summary: 'Changes a review',
    body: strictObject({}, { rating, ...words }),
    input: ({ path, expectedVersions, body }) => ({ id: path.id, expectedVersions, changes: body }),
    responder: ok(view),
  }),
  route('DELETE /reviews/{id}', reviews.remove, {
    summary: 'Removes a review',
    input: ({ path, expectedVersions }) => ({ id: path.id, expectedVersions }),
    responder: noContent,
  }),
];
