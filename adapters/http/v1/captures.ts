import { described } from '#adapters/wire/codec.ts';
import { currency, id, instant, integer, money, nullable, oneOf, text } from '#adapters/wire/codecs.ts';
import { strictObject } from '#adapters/wire/object-codec.ts';
import { failure, providerText } from '#adapters/wire/provider-words.ts';
import { resourceView } from '#adapters/wire/view.ts';
import type { UseCases } from '#application/application.ts';
import { type Capture, captureStatuses } from '#domain/capture.ts';
import { integer as wholeNumber } from '#domain/rule.ts';
import { created, ok, page } from '../routing/responders.ts';
import { route } from '../routing/route.ts';

const paymentId = described(id('payment'), 'The authorized payment whose money is taken.');

/** At least 1 in the minor unit: a capture of nothing is invalid. */
const positiveAmount = integer(wholeNumber(1, Number.MAX_SAFE_INTEGER));
const requestedAmount = described(
  strictObject({
    amount: described(positiveAmount, 'In the minor unit of the currency: cents, pence, yen.', 2390),
    currency,
  }),
  'What is taken. Defaults to all that was authorized. Less gives the rest back to the payer, and still pays the order in full.',
);

export const captureView = resourceView<Capture>()('Capture', {
  paymentId,
  amount: described(money, 'What is taken.', { amount: 2390, currency: 'EUR' }),
  status: described(oneOf(captureStatuses), 'Pending until the payment provider has decided.', 'succeeded'),
  succeededAt: described(
    nullable(instant),
    'When the money was taken. Null before.',
    '2026-03-01T12:00:05.000Z',
  ),
  providerReference: described(
    nullable(text(providerText)),
    'The id of the capture, or of what was captured, at the provider.',
    'pi_3QwErTy',
  ),
  failure: described(nullable(failure), 'Why the provider declined the capture.', null),
});

export const captureRoutes = ({ captures }: UseCases) => [
  route('GET /captures', captures.list, {
    summary: 'List captures',
    filters: { paymentId },
    input: ({ filter, page }) => ({ filter, page }),
    responder: page(captureView),
  }),
  route('POST /captures', captures.create, {
    summary: 'Capture an authorized payment',
    body: strictObject({ paymentId }, { amount: requestedAmount }),
    input: ({ body }) => body,
    responder: created(captureView),
  }),
  route('GET /captures/{id}', captures.get, {
    summary: 'Get a capture',
    input: ({ path }) => path.id,
    responder: ok(captureView),
  }),
];
