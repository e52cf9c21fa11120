import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { OrderId } from '#domain/order.ts';
import { type CaptureMethod, type PaymentId, type PaymentStatus, paymentStatuses } from '#domain/payment.ts';
import type { UserId } from '#domain/user.ts';
import {
  amount,
  choice,
  currency,
  instant,
  metadata,
  metadataOfRow,
  money,
  reference,
  resource,
  resourceOfRow,
  rowOfMetadata,
  rowOfResource,
  rowOfVerdict,
  verdict,
  verdictOfRow,
} from './columns.ts';
import { orders } from './order.ts';
import { type Table, tableOf } from './table.ts';

/** The last line of defence against paying twice: at most one payment of an order is neither failed nor canceled. */
export const onePaymentPerOrder = 'payments_order_id_unique';

const PaymentEntity = defineEntity({
  name: 'Payment',
  tableName: 'payments',
  properties: {
    ...resource<PaymentId>(),
    order_id: reference<OrderId>(orders, 'order_id'),
    user_id: p.uuid().$type<UserId>(),
    amount: amount(),
    refunded_amount: amount(),
    refunding_amount: amount(),
    currency: currency(),
    status: choice<PaymentStatus>(),
    provider: p.text(),
    ...verdict(),
    ...metadata(),
    capture_method: choice<CaptureMethod>().default('automatic'),
    action_expires_at: instant().strictNullable(),
    capture_before: instant().strictNullable(),
    released_amount: amount().defaultRaw('0'),
    disputed_amount: amount().defaultRaw('0'),
    succeeded_at: instant().strictNullable(),
  },
  indexes: [
    { properties: ['order_id', 'id'] },
    { properties: ['user_id', 'id'] },
    { properties: ['status', 'id'] },
    { properties: ['created_at', 'id'] },
  ],
  uniques: [
    {
      name: onePaymentPerOrder,
      properties: ['order_id'],
      where: "status <> 'failed' and status <> 'canceled'",
    },
  ],
});

type PaymentRow = InferEntity<typeof PaymentEntity>;

export const payments: Table<'payments', PaymentRow> = {
  ...tableOf(PaymentEntity),
  filters: { orderId: 'order_id', userId: 'user_id', status: 'status' },
  choices: { status: paymentStatuses },

  toRow: (payment) => ({
    ...rowOfResource(payment),
    order_id: payment.orderId,
    user_id: payment.userId,
    amount: payment.amount.amount,
    refunded_amount: payment.refunded.amount,
    refunding_amount: payment.refunding.amount,
    currency: payment.amount.currency,
    status: payment.status,
    provider: payment.provider,
    ...rowOfVerdict(payment),
    ...rowOfMetadata(payment),
    capture_method: payment.captureMethod,
    action_expires_at: payment.actionExpiresAt,
    capture_before: payment.captureBefore,
    released_amount: payment.released.amount,
    disputed_amount: payment.disputed.amount,
    succeeded_at: payment.succeededAt,
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    orderId: row.order_id,
    userId: row.user_id,
    amount: money(row.amount, row.currency),
    refunded: money(row.refunded_amount, row.currency),
    refunding: money(row.refunding_amount, row.currency),
    status: row.status,
    provider: row.provider,
    ...verdictOfRow(row),
    ...metadataOfRow(row),
    captureMethod: row.capture_method,
    actionExpiresAt: row.action_expires_at,
    captureBefore: row.capture_before,
    released: money(row.released_amount, row.currency),
    disputed: money(row.disputed_amount, row.currency),
    succeededAt: row.succeeded_at,
  }),
};
