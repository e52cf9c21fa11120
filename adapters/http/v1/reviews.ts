import { described } from '#adapters/wire/codec.ts';
import { id, integer, nullable, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { Review } from '#domain/review.ts';
import { expandBy, type Table } from '../routing/expansions.ts';
import { creationPeriod } from '../routing/list-query.ts';
import { created, noContent, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const itemId = described(
  id('order-item'),
  'The order item that the review is about. A user reviews a product once, through any item of it.',
);
const rating = described(integer(Review.rules.rating), 'From 1 to 5.', 5);
const texts = {
  title: described(
    nullable(text(Review.rules.title)),
    'A short title. Neither end may be white space or invisible.',
    'Fresh and bright',
  ),
  body: described(
    nullable(text(Review.rules.body)),
    'The text of the review.',
    'Arrived two days after roasting.',
  ),
};

export const reviewView = resourceView<Review>()('Review', {
  itemId,
  productId: described(id('product'), 'The product that was bought.'),
  userId: described(id('user'), 'The user who bought it.'),
  rating,
  ...texts,
});

export const reviewRoutes = <All extends Table>({ reviews }: UseCases, expansions: All) => [
  route('GET /reviews', reviews.list, {
    summary: 'List reviews',
    filters: { itemId, productId: id('product'), userId: id('user'), ...creationPeriod },
    expansions: expandBy(expansions),
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(reviewView),
  }),
  route('POST /reviews', reviews.write, {
    summary: 'Create a review',
    body: strictObject({ itemId, rating }, texts),
    input: ({ body }) => ({ title: null, body: null, ...body }),
    responder: created(reviewView),
  }),
  route('GET /reviews/{id}', reviews.get, {
    summary: 'Get a review',
    expansions: expandBy(expansions),
    input: ({ path }) => path.id,
    responder: ok(reviewView),
  }),
  route('PATCH /reviews/{id}', reviews.change, {
    summary: 'Update a review',
    body: strictObject({}, { rating, ...texts }),
    input: ({ path, expectedVersions, body }) => ({ id: path.id, expectedVersions, changes: body }),
    responder: ok(reviewView),
  }),
  route('DELETE /reviews/{id}', reviews.remove, {
    summary: 'Delete a review',
    input: ({ path, expectedVersions }) => ({ id: path.id, expectedVersions }),
    responder: noContent,
  }),
];
