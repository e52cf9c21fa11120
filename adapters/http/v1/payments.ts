import { described, forRole } from '#adapters/wire/codec.ts';
import { boolean, id, money, nullable, oneOf, text } from '#adapters/wire/codecs.ts';
import { metadata, metadataPatch } from '#adapters/wire/metadata.ts';
import { fitting, strictObject } from '#adapters/wire/object-codec.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { Payment, paymentStatuses } from '#domain/payment.ts';
import { misplacedPaymentField } from '#domain/payment-request.ts';
import { text as anyText } from '#domain/text.ts';
import { expandBy, type Table } from '../routing/expansions.ts';
import { creationPeriod } from '../routing/list-query.ts';
import { created, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const orderId = described(id('order'), 'The order to pay, in full.');

const amount = described(money, "The order's total.", { amount: 4780, currency: 'EUR' });

/** Text from the payment provider, which defines its own codes and references. */
const providerText = anyText(0, 5000);

const paymentMethod = described(
  text(Payment.rules.paymentMethod),
  "The payment provider's token for a card. It is passed to the provider and not stored. Something in it must be visible. Staff may send `offline`: the shop has taken the money itself, and no provider is asked.",
  'tok_ok',
);

const reference = forRole(
  'staff',
  described(
    text(Payment.rules.reference),
    'Your own reference of an `offline` payment, such as the number of a receipt. It becomes the `provider_reference`.',
    'Receipt 2026-0117',
  ),
);

const payerPresent = described(
  boolean,
  'Whether the payer can be asked for consent now, which most European cards want. Without it a charge that needs consent is declined. No effect on a total of 0. Not every payment provider can ask.',
  true,
);

const returnUrl = described(
  text(Payment.rules.returnUrl),
  'Where the payer returns to from a page of the payment provider: https, or http on a loopback address. Only with `payer_present`. It is not stored.',
  'https://example.com/paid',
);

const newPayment = fitting(
  strictObject({ orderId, paymentMethod }, { amount, reference, payerPresent, returnUrl }),
  misplacedPaymentField,
);

const failure = strictObject({
  code: described(text(providerText), 'The error code of the payment provider.', 'card_declined'),
  message: described(text(providerText), 'The reason, for people.', 'The card was declined.'),
});

const status = described(
  oneOf(paymentStatuses),
  'Pending until the payment provider has decided.',
  'succeeded',
);

export const paymentView = resourceView<Payment>()('Payment', {
  orderId,
  userId: described(id('user'), 'The user who owns the order.'),
  amount,
  refunded: described(money, 'The amount refunded so far.', { amount: 0, currency: 'EUR' }),
  status,
  provider: described(
    text(providerText),
    'The payment provider, or `offline` when the shop has taken the money itself.',
    'sandbox',
  ),
  providerReference: described(
    nullable(text(providerText)),
    'The id of the payment at the provider, or your own reference of an offline payment.',
    'pi_3QwErTy',
  ),
  failure: described(nullable(failure), 'Why the provider declined the payment.', null),
  metadata,
});

export const paymentRoutes = <All extends Table>({ payments }: UseCases, expansions: All) => [
  route('GET /payments', payments.list, {
    summary: 'List payments',
    filters: { orderId, status, ...creationPeriod },
    expansions: expandBy(expansions),
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(paymentView),
  }),
  route('POST /payments', payments.pay, {
    summary: 'Pay an order',
    body: newPayment,
    input: ({ body }) => body,
    responder: created(paymentView),
  }),
  route('GET /payments/{id}', payments.get, {
    summary: 'Get a payment',
    expansions: expandBy(expansions),
    input: ({ path }) => path.id,
    responder: ok(paymentView),
  }),
  route('PATCH /payments/{id}', payments.change, {
    summary: 'Update the metadata of a payment',
    body: strictObject({}, { metadata: forRole('staff', metadataPatch) }),
    input: ({ path, expectedVersions, body }) => ({ id: path.id, expectedVersions, ...body }),
    responder: ok(paymentView),
  }),
];
