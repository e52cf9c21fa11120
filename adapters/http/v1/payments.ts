import { described } from '#adapters/wire/codec.ts';
import { id, money, nullable, oneOf, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { Payment, paymentStatuses } from '#domain/payment.ts';
import { text as anyText } from '#domain/rule.ts';
import { created, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const orderId = described(id('order'), 'The order that is paid, in full.');

const amount = described(money, "The order's total.", { amount: 2580, currency: 'EUR' });

/** What a provider calls things is its own affair. */
const words = anyText(0, 5000);

const paymentMethod = described(
  text(Payment.rules.paymentMethod),
  "The provider's token for a card. It is passed on and kept nowhere.",
  'tok_ok',
);

const failure = strictObject({
  code: described(text(words), 'For machines.', 'card_declined'),
  message: described(text(words), 'For people.', 'The card was declined.'),
});

const view = resourceView<Payment>()('Payment', {
  orderId,
  userId: described(id('user'), 'Whose order it is.'),
  amount,
  refunded: described(money, 'What has gone back.', { amount: 0, currency: 'EUR' }),
  status: described(oneOf(paymentStatuses), 'Pending until the provider has decided.', 'succeeded'),
  provider: described(text(words), 'Who moves the money.', 'sandbox'),
  providerReference: described(nullable(text(words)), 'What it is known by there.', 'pi_3QwErTy'),
  failure: described(nullable(failure), 'Why the provider said no.', null),
});

export const paymentRoutes = ({ payments }: UseCases) => [
  route('GET /payments', payments.list, {
    summary: 'Lists payments',
    filters: { orderId },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(view),
  }),
  route('POST /payments', payments.pay, {
    summary: 'Pays an order',
    body: strictObject({ orderId, paymentMethod }, { amount }),
    input: ({ body }) => body,
    responder: created(view),
  }),
  route('GET /payments/{id}', payments.get, {
    summary: 'Shows a payment',
    input: ({ path }) => path.id,
    responder: ok(view),
  }),
];
