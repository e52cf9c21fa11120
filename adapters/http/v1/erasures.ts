import { described } from '#adapters/wire/codec.ts';
import { id, oneOf } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { type Erasure, erasureStatuses } from '#domain/erasure.ts';
import { created, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const userId = described(
  id('user'),
  'The user whose personal data are erased. They are locked at once. An erasure is rejected while the user has an order that is `paid`, because it must still be sent, and while a payment, refund or dispute of theirs has not ended.',
);

const view = resourceView<Erasure>()('Erasure', {
  userId,
  status: described(
    oneOf(erasureStatuses),
    'Pending until the rows of the user have followed, in batches.',
    'completed',
  ),
});

export const erasureRoutes = ({ erasures }: UseCases) => [
  route('GET /erasures', erasures.list, {
    summary: 'List erasures',
    filters: {},
    input: ({ page }) => page,
    responder: page(view),
  }),
  route('POST /erasures', erasures.begin, {
    summary: 'Erase the personal data of a user',
    body: strictObject({ userId }, {}),
    input: ({ body }) => body.userId,
    responder: created(view),
  }),
  route('GET /erasures/{id}', erasures.get, {
    summary: 'Get an erasure',
    input: ({ path }) => path.id,
    responder: ok(view),
  }),
];
