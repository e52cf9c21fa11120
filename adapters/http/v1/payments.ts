import { described, forRole, forSomeStates, named } from '#adapters/wire/codec.ts';
import { boolean, id, instant, money, nullable, oneOf, text } from '#adapters/wire/codecs.ts';
import { metadata, metadataPatch } from '#adapters/wire/metadata.ts';
import { fitting, strictObject } from '#adapters/wire/object-codec.ts';
import { failure, providerText } from '#adapters/wire/provider-words.ts';
import { derived, resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import type { LivePayment } from '#application/payments/charges.ts';
import { captureMethods, Payment, paymentStatuses } from '#domain/payment.ts';
import { misplacedPaymentField } from '#domain/payment-request.ts';
import { awaitedChange } from '../routing/awaited-change.ts';
import { expandBy, type Table } from '../routing/expansions.ts';
import { creationPeriod } from '../routing/list-query.ts';
import { created, type Fleeting, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const orderId = described(id('order'), 'The order to pay, in full.');

const amount = described(money, "The order's total.", { amount: 4780, currency: 'EUR' });

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
  forSomeStates(boolean),
  'Whether the payer can be asked for consent now, which most European cards want. Without it a charge that needs consent is declined. No effect on a total of 0. Not every payment provider can ask.',
  true,
);

const returnUrl = described(
  forSomeStates(text(Payment.rules.returnUrl)),
  'Where the payer returns to from a page of the payment provider: https, or http on a loopback address. Only with `payer_present`. It is not stored.',
  'https://example.com/paid',
);

const captureMethod = described(
  oneOf(captureMethods),
  '`manual` authorizes the payment now, and `POST /captures` takes the money later. Defaults to what the shop has set.',
  'automatic',
);
const capture = forRole('staff', captureMethod);

const newPayment = fitting(
  strictObject({ orderId, paymentMethod }, { amount, reference, payerPresent, returnUrl, capture }),
  misplacedPaymentField,
);

const status = described(
  oneOf(paymentStatuses),
  'Pending until the payment provider has decided. `requires_action` waits for the payer, and `processing` for the payment provider. `canceled` was given up, or the payer did not act in time.',
  'succeeded',
);

const canceled = described(
  forSomeStates(oneOf(['canceled'])),
  'Gives the payment up. It can be given up while it is `requires_action`, and by staff while it is `authorized`. The payment provider is told first: when it has charged already, the payment is `succeeded` and the response is 409.',
  'canceled',
);

const nextAction = named(
  'NextAction',
  strictObject(
    {
      type: described(
        oneOf(['redirect', 'provider_sdk']),
        'Send the payer to `url`, or give `client_secret` to the library of the payment provider.',
        'redirect',
      ),
    },
    {
      url: described(
        text(providerText),
        'For `redirect`: where to send the payer.',
        'https://hooks.stripe.com/redirect/authenticate/src_1Qw',
      ),
      clientSecret: described(
        text(providerText),
        'For `provider_sdk`: what the library of the payment provider takes.',
        'pi_3QwErTy_secret_9rT',
      ),
    },
  ),
);

/** What a payer has to do is shown to them at once, and kept nowhere. */
export const actionOfPayer: Fleeting<LivePayment> = {
  isIn: ({ nextAction }) => nextAction !== undefined,
  without: ({ nextAction: _, ...payment }) => payment,
};

export const paymentView = resourceView<LivePayment>()('Payment', {
  orderId,
  userId: described(id('user'), 'The user who owns the order.'),
  amount,
  captured: derived(
    described(money, 'What was taken from the payer: 0 before the payment has succeeded.', {
      ...{ amount: 4780, currency: 'EUR' },
    }),
    Payment.captured,
  ),
  refunded: described(money, 'The amount refunded so far.', { amount: 0, currency: 'EUR' }),
  refunding: described(
    money,
    'The sum of the refunds that are pending. With `refunded` it is the `expected_refunded` of a refund.',
    { amount: 0, currency: 'EUR' },
  ),
  disputed: described(money, 'The sum of the disputes that need a response, are under review or lost.', {
    amount: 0,
    currency: 'EUR',
  }),
  status,
  succeededAt: described(
    nullable(instant),
    'When the money was taken, whatever became of it since. Null before.',
    '2026-03-01T12:00:05.000Z',
  ),
  nextAction: derived(
    described(
      nullable(nextAction),
      'What the payer has to do now. Only in the response to POST and to GET of one payment, and not in a replay. Null when nothing is to be done, or the payment provider has not told it: read the payment again.',
      null,
    ),
    ({ nextAction: action }: LivePayment) => action ?? null,
  ),
  capture: derived(captureMethod, (payment: Payment) => payment.captureMethod),
  captureBefore: described(
    nullable(instant),
    'Until when an authorized payment can be captured. Null before, and when it is captured at once.',
    null,
  ),
  actionExpiresAt: described(
    nullable(instant),
    'Until when the payer can act. Null when the payer is not present.',
    null,
  ),
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
    responder: created(paymentView, actionOfPayer),
  }),
  route('GET /payments/{id}', payments.get, {
    summary: 'Get a payment',
    expansions: expandBy(expansions),
    input: ({ path }) => path.id,
    refresh: payments.refresh,
    responder: ok(paymentView, actionOfPayer),
    awaited: awaitedChange(Payment.isUndecided),
  }),
  route('PATCH /payments/{id}', payments.change, {
    summary: 'Cancel a payment, or update its metadata',
    body: strictObject({}, { status: canceled, metadata: forRole('staff', metadataPatch) }),
    process: {
      useCase: payments.cancel,
      isFor: ({ status: wanted }) => wanted !== undefined,
      when: 'With `status`',
    },
    input: ({ path, expectedVersions, body: { status: _, ...changes } }) => ({
      id: path.id,
      expectedVersions,
      ...changes,
    }),
    responder: ok(paymentView),
  }),
];
