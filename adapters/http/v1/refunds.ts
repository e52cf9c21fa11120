import { described } from '#adapters/wire/codec.ts';
import { currency, id, integer, money, nullable, oneOf, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { Refund, refundStatuses } from '#domain/refund.ts';
import { text as anyText, integer as wholeNumber } from '#domain/rule.ts';
import { created, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const paymentId = described(id('payment'), 'The payment that is given back, in part or as a whole.');
const amount = described(money, 'What goes back.', { amount: 1290, currency: 'EUR' });

/** Nothing cannot be given back. */
const something = integer(wholeNumber(1, Number.MAX_SAFE_INTEGER));
const asked = described(
  strictObject({
    amount: described(something, 'In the minor unit of the currency: cents, pence, yen.', 1290),
    currency,
  }),
  'All that is left, unless it is said.',
);

const reason = described(nullable(text(Refund.rules.reason)), 'For whoever asks later.', 'Arrived broken');

const view = resourceView<Refund>()('Refund', {
  paymentId,
  amount,
  reason,
  status: described(oneOf(refundStatuses), 'Pending until the provider has decided.', 'succeeded'),
  providerReference: described(
    nullable(text(anyText(0, 5000))),
    'What it is known by at the provider.',
    're_3QwErTy',
  ),
});

export const refundRoutes = ({ refunds }: UseCases) => [
  route('GET /refunds', refunds.list, {
    summary: 'Lists refunds',
    filters: { paymentId },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(view),
  }),
  route('POST /refunds', refunds.give, {
    summary: 'Gives money back',
    body: strictObject({ paymentId }, { amount: asked, reason }),
    input: ({ body }) => ({ reason: null, ...body }),
    responder: created(view),
  }),
  route('GET /refunds/{id}', refunds.get, {
    summary: 'Shows a refund',
    input: ({ path }) => path.id,
    responder: ok(view),
  }),
];
