import type { UseCases } from '#application/portico.ts';
import type { OrderId } from '#domain/order.ts';
import { Payment } from '#domain/payment.ts';
import { created, many, one } from '../answers.ts';
import { id, money, record, text } from '../codecs.ts';
import { type Route, route } from '../route.ts';
import { resourceView } from './common.ts';

const orderId = id<OrderId>();

const view = resourceView<Payment>((payment) => ({
  order_id: payment.orderId,
  user_id: payment.userId,
  amount: payment.amount,
  refunded: payment.refunded,
  status: payment.status,
  provider: payment.provider,
  provider_reference: payment.providerReference,
  failure: payment.failure,
}));

export const paymentRoutes = ({ payments }: UseCases): readonly Route[] => [
  route('GET /payments', payments.list, {
    filters: { orderId },
    input: ({ filter, page }) => ({ filter, page }),
    answer: many(view),
  }),
  route('POST /payments', payments.pay, {
    body: record({ orderId, paymentMethod: text(Payment.rules.paymentMethod) }, { amount: money }),
    input: ({ body }) => body,
    answer: created(view),
  }),
  route('GET /payments/{id}', payments.get, {
    input: ({ path }) => path.id,
    answer: one(view),
  }),
];
