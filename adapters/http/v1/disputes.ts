import { described } from '#adapters/wire/codec.ts';
import { id, instant, money, nullable, oneOf, text } from '#adapters/wire/codecs.ts';
import { providerText } from '#adapters/wire/provider-words.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { type Dispute, disputeStatuses } from '#domain/dispute.ts';
import { ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const paymentId = described(id('payment'), 'The payment that is disputed.');
const orderId = described(id('order'), 'The order of the payment.');
const status = described(
  oneOf(disputeStatuses),
  'As the payment provider tells it. `warning` is an inquiry, which takes no money, and `closed` one that has ended. `needs_response` and `under_review` block refunds of the payment. When it is `lost`, staff can cancel an order that is still paid.',
  'needs_response',
);

export const disputeView = resourceView<Dispute>()('Dispute', {
  paymentId,
  orderId,
  amount: described(money, 'The disputed amount.', { amount: 4780, currency: 'EUR' }),
  reason: described(
    text(providerText),
    "The payment provider's word for the reason.",
    'product_not_received',
  ),
  status,
  evidenceDueAt: described(
    nullable(instant),
    'Until when you can give evidence at the payment provider. Null when it expects none.',
    '2026-10-30T23:59:59.000Z',
  ),
  closedAt: described(
    nullable(instant),
    'When the dispute was won, lost or closed. Null while it is not.',
    null,
  ),
  providerReference: described(text(providerText), 'The id of the dispute at the provider.', 'dp_3QwErTy'),
});

export const disputeRoutes = ({ disputes }: UseCases) => [
  route('GET /disputes', disputes.list, {
    summary: 'List disputes',
    filters: { paymentId, orderId, status },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(disputeView),
  }),
  route('GET /disputes/{id}', disputes.get, {
    summary: 'Get a dispute',
    input: ({ path }) => path.id,
    responder: ok(disputeView),
  }),
];
