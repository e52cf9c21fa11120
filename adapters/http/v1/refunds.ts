import type { UseCases } from '#application/portico.ts';
import type { PaymentId } from '#domain/payment.ts';
import { Refund } from '#domain/refund.ts';
import { created, many, one } from '../answers.ts';
import { id, money, nullable, record, text } from '../codecs.ts';
import { type Route, route } from '../route.ts';
import { resourceView } from './common.ts';

const paymentId = id<PaymentId>();

const view = resourceView<Refund>((refund) => ({
  payment_id: refund.paymentId,
  amount: refund.amount,
  reason: refund.reason,
  status: refund.status,
  provider_reference: refund.providerReference,
}));

export const refundRoutes = ({ refunds }: UseCases): readonly Route[] => [
  route('GET /refunds', refunds.list, {
    filters: { paymentId },
    input: ({ filter, page }) => ({ filter, page }),
    answer: many(view),
  }),
  route('POST /refunds', refunds.give, {
    body: record({ paymentId }, { amount: money, reason: nullable(text(Refund.rules.reason)) }),
    input: ({ body }) => ({ reason: null, ...body }),
    answer: created(view),
  }),
  route('GET /refunds/{id}', refunds.get, {
    input: ({ path }) => path.id,
    answer: one(view),
  }),
];
