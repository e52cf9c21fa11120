import { described } from '#adapters/wire/codec.ts';
import { currency, id, instant, integer, money, nullable, oneOf, text } from '#adapters/wire/codecs.ts';
import { metadata, metadataPatch } from '#adapters/wire/metadata.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { failure, providerText } from '#adapters/wire/provider-words.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { Refund, refundOrigins, refundStatuses } from '#domain/refund.ts';
import { integer as wholeNumber } from '#domain/rule.ts';
import { awaitedChange } from '../routing/awaited-change.ts';
import { expandBy, type Table } from '../routing/expansions.ts';
import { creationPeriod } from '../routing/list-query.ts';
import { created, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const paymentId = described(id('payment'), 'The payment to refund, in part or in full.');
const amount = described(money, 'The refunded amount.', { amount: 2390, currency: 'EUR' });

/** At least 1 in the minor unit: a refund of nothing is invalid. */
const positiveAmount = integer(wholeNumber(1, Number.MAX_SAFE_INTEGER));
const requestedAmount = described(
  strictObject({
    amount: described(positiveAmount, 'In the minor unit of the currency: cents, pence, yen.', 2390),
    currency,
  }),
  'The amount to refund. Defaults to all that is left.',
);

const expectedRefunded = described(
  money,
  "What you have seen of the payment: `refunded` + `refunding`, in the payment's currency, 0 included. If it is another sum when the refund begins, the response is 409, so that two who have seen the same do not refund it twice. By default it is not compared.",
  { amount: 0, currency: 'EUR' },
);

const reason = described(nullable(text(Refund.rules.reason)), 'A reason for your records.', 'Arrived broken');

export const refundView = resourceView<Refund>()('Refund', {
  paymentId,
  amount,
  reason,
  status: described(
    oneOf(refundStatuses),
    'Pending until the payment provider has decided. One that has succeeded can fail later, when the money comes back.',
    'succeeded',
  ),
  succeededAt: described(
    nullable(instant),
    'When the refund succeeded, also where it has failed later. Null before.',
    '2026-03-01T12:00:05.000Z',
  ),
  origin: described(
    oneOf(refundOrigins),
    'Where it was asked for: `portico`, or `provider` for one that was made there, as in its dashboard.',
    'portico',
  ),
  failure: described(nullable(failure), 'Why the refund failed.', null),
  providerReference: described(
    nullable(text(providerText)),
    'The id of the refund at the provider; null when none was asked.',
    're_3QwErTy',
  ),
  metadata,
});

export const refundRoutes = <All extends Table>({ refunds }: UseCases, expansions: All) => [
  route('GET /refunds', refunds.list, {
    summary: 'List refunds',
    filters: { paymentId, ...creationPeriod },
    expansions: expandBy(expansions),
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(refundView),
  }),
  route('POST /refunds', refunds.create, {
    summary: 'Refund a payment',
    body: strictObject({ paymentId }, { amount: requestedAmount, reason, expectedRefunded }),
    input: ({ body }) => ({ reason: null, ...body }),
    responder: created(refundView),
  }),
  route('GET /refunds/{id}', refunds.get, {
    summary: 'Get a refund',
    expansions: expandBy(expansions),
    input: ({ path }) => path.id,
    responder: ok(refundView),
    awaited: awaitedChange(({ status }) => status === 'pending'),
  }),
  route('PATCH /refunds/{id}', refunds.change, {
    summary: 'Update the metadata of a refund',
    body: strictObject({}, { metadata: metadataPatch }),
    input: ({ path, expectedVersions, body }) => ({ id: path.id, expectedVersions, ...body }),
    responder: ok(refundView),
  }),
];
