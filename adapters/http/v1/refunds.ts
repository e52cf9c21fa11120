import type { UseCases } from '#application/portico.ts';
import type { PaymentId } from '#domain/payment.ts';
import { Refund, refundStatuses } from '#domain/refund.ts';
import { text as anyText } from '#domain/rule.ts';
import { created, many, one } from '../answers.ts';
import { id, money, nullable, oneOf, text } from '../codecs.ts';
import { record } from '../record.ts';
import { type Route, route } from '../route.ts';
import { resourceView } from '../view.ts';

const paymentId = id<PaymentId>();

const reason = nullable(text(Refund.rules.reason));

const view = resourceView<Refund>()('Refund', {
  paymentId,
  amount: money,
  reason,
  status: oneOf(refundStatuses),
  providerReference: nullable(text(anyText(0, 5000))),
});

export const refundRoutes = ({ refunds }: UseCases): readonly Route[] => [
  route('GET /refunds', refunds.list, {
    summary: 'Lists refunds',
    filters: { paymentId },
    input: ({ filter, page }) => ({ filter, page }),
    answer: many(view),
  }),
  route('POST /refunds', refunds.give, {
    summary: 'Gives money back',
    body: record({ paymentId }, { amount: money, reason }),
    input: ({ body }) => ({ reason: null, ...body }),
    answer: created(view),
  }),
  route('GET /refunds/{id}', refunds.get, {
    summary: 'Shows a refund',
    input: ({ path }) => path.id,
    answer: one(view),
  }),
];
