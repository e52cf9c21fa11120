import type { UseCases } from '#application/portico.ts';
import type { OrderId } from '#domain/order.ts';
import { Payment, paymentStatuses } from '#domain/payment.ts';
import { text as anyText } from '#domain/rule.ts';
import type { UserId } from '#domain/user.ts';
import { created, many, one } from '../answers.ts';
import { id, money, nullable, oneOf, text } from '../codecs.ts';
import { record } from '../record.ts';
import { type Route, route } from '../route.ts';
import { resourceView } from '../view.ts';

const orderId = id<OrderId>();

/** What a provider calls things is its own affair. */
const words = anyText(0, 5000);

const view = resourceView<Payment>()('Payment', {
  orderId,
  userId: id<UserId>(),
  amount: money,
  refunded: money,
  status: oneOf(paymentStatuses),
  provider: text(words),
  providerReference: nullable(text(words)),
  failure: nullable(record({ code: text(words), message: text(words) })),
});

export const paymentRoutes = ({ payments }: UseCases): readonly Route[] => [
  route('GET /payments', payments.list, {
    summary: 'Lists payments',
    filters: { orderId },
    input: ({ filter, page }) => ({ filter, page }),
    answer: many(view),
  }),
  route('POST /payments', payments.pay, {
    summary: 'Pays an order',
    body: record({ orderId, paymentMethod: text(Payment.rules.paymentMethod) }, { amount: money }),
    input: ({ body }) => body,
    answer: created(view),
  }),
  route('GET /payments/{id}', payments.get, {
    summary: 'Shows a payment',
    input: ({ path }) => path.id,
    answer: one(view),
  }),
];
