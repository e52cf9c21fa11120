import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { PaymentId } from '#domain/payment.ts';
import type { RefundId, RefundOrigin, RefundStatus } from '#domain/refund.ts';
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
import { payments } from './payment.ts';
import { type Table, tableOf } from './table.ts';

const RefundEntity = defineEntity({
  name: 'Refund',
  tableName: 'refunds',
  properties: {
    ...resource<RefundId>(),
    payment_id: reference<PaymentId>(payments, 'payment_id'),
    provider: p.text(),
    // Empty where no provider was asked, because the previous release reads and writes no null.
    charge_reference: p.text(),
    user_id: p.uuid().$type<UserId>(),
    amount: amount(),
    currency: currency(),
    reason: p.text().strictNullable(),
    status: choice<RefundStatus>(),
    ...verdict(),
    ...metadata(),
    origin: choice<RefundOrigin>().default('portico'),
    succeeded_at: instant().strictNullable(),
  },
  indexes: [
    { properties: ['payment_id', 'id'] },
    { properties: ['user_id', 'id'] },
    { properties: ['created_at', 'id'] },
  ],
});

type RefundRow = InferEntity<typeof RefundEntity>;

export const refunds: Table<'refunds', RefundRow> = {
  ...tableOf(RefundEntity),
  filters: { paymentId: 'payment_id', userId: 'user_id' },

  toRow: (refund) => ({
    ...rowOfResource(refund),
    payment_id: refund.paymentId,
    provider: refund.provider,
    charge_reference: refund.chargeReference ?? '',
    user_id: refund.userId,
    amount: refund.amount.amount,
    currency: refund.amount.currency,
    reason: refund.reason,
    status: refund.status,
    ...rowOfVerdict(refund),
    ...rowOfMetadata(refund),
    origin: refund.origin,
    succeeded_at: refund.succeededAt,
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    paymentId: row.payment_id,
    provider: row.provider,
    chargeReference: row.charge_reference === '' ? null : row.charge_reference,
    userId: row.user_id,
    amount: money(row.amount, row.currency),
    reason: row.reason,
    status: row.status,
    ...verdictOfRow(row),
    ...metadataOfRow(row),
    origin: row.origin,
    succeededAt: row.succeeded_at,
  }),
};
