import type { Subject } from './response.ts';
import type { IdempotentRequest } from './retried-request.ts';
import type { Token } from './shop.ts';

/** A request that has no key yet. */
export type RequestDetails = Omit<IdempotentRequest, 'key' | 'body'> & { readonly body: object };

/** What is ordered, and how much of it. */
export type Line = readonly [product: string, quantity: number];

/** One item by itself is ordered without a list. */
export const orderOf = (token: Token, lines: readonly Line[]): RequestDetails => {
  const items = lines.map(([product, quantity]) => ({ product_id: product, quantity }));
  const [only] = items;
  return {
    kind: 'order',
    method: 'POST',
    path: '/v1/orders',
    token,
    body: only !== undefined && items.length === 1 ? only : { items },
    expectedOutcomes: ['201', '409 OUT_OF_STOCK'],
  };
};

/** @param details the method of payment, and what belongs to it */
export const paymentOf = (
  { id }: Pick<Subject, 'id'>,
  token: Token,
  details: { readonly payment_method: string } & Readonly<Record<string, unknown>>,
  expectedOutcomes: readonly string[],
): RequestDetails => ({
  kind: 'payment',
  method: 'POST',
  path: '/v1/payments',
  subjectId: id,
  token,
  body: { order_id: id, ...details },
  expectedOutcomes,
});

/**
 * It is rejected where the payer or the merchant has moved the money at the provider. The judge asks for a reason.
 * @param amount all that is left, unless given
 */
export const refundOf = (
  { id }: Pick<Subject, 'id'>,
  token: Token,
  amount?: number,
  details: object = {},
): RequestDetails => ({
  kind: 'refund',
  method: 'POST',
  path: '/v1/refunds',
  subjectId: id,
  token,
  body: { payment_id: id, ...details, ...amountOf(amount) },
  expectedOutcomes: ['201', '409 AMOUNT_EXCEEDED', '409 INVALID_STATE', '422 PAYMENT_DECLINED'],
});

/** As a refund of a client who says what was refunded before, in cents. */
export const seenRefundOf = (
  payment: Pick<Subject, 'id'>,
  token: Token,
  amount: number,
  seen: number,
): RequestDetails => {
  const expected_refunded = { amount: seen, currency: 'EUR' };
  const request = refundOf(payment, token, amount, { expected_refunded });
  return { ...request, expectedOutcomes: [...request.expectedOutcomes, '409 CONFLICT'] };
};

/** The field of an amount that is a part, in cents. */
export const amountOf = (amount: number | undefined): object =>
  amount === undefined ? {} : { amount: { amount, currency: 'EUR' } };
