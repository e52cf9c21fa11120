import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CaptureId, CaptureStatus } from '#domain/capture.ts';
import type { PaymentId } from '#domain/payment.ts';
import type { UserId } from '#domain/user.ts';
import {
  amount,
  choice,
  currency,
  instant,
  money,
  reference,
  resource,
  resourceOfRow,
  rowOfResource,
  rowOfVerdict,
  verdict,
  verdictOfRow,
} from './columns.ts';
import { payments } from './payment.ts';
import { type Table, tableOf } from './table.ts';

const CaptureEntity = defineEntity({
  name: 'Capture',
  tableName: 'captures',
  properties: {
    ...resource<CaptureId>(),
    payment_id: reference<PaymentId>(payments, 'payment_id'),
    user_id: p.uuid().$type<UserId>(),
    provider: p.text(),
    charge_reference: p.text(),
    amount: amount(),
    currency: currency(),
    status: choice<CaptureStatus>(),
    ...verdict(),
    succeeded_at: instant().strictNullable(),
  },
  indexes: [{ properties: ['payment_id', 'id'] }, { properties: ['user_id', 'id'] }],
});

type CaptureRow = InferEntity<typeof CaptureEntity>;

export const captures: Table<'captures', CaptureRow> = {
  ...tableOf(CaptureEntity),
  filters: { paymentId: 'payment_id', userId: 'user_id' },

  toRow: (capture) => ({
    ...rowOfResource(capture),
    payment_id: capture.paymentId,
    user_id: capture.userId,
    provider: capture.provider,
    charge_reference: capture.chargeReference,
    amount: capture.amount.amount,
    currency: capture.amount.currency,
    status: capture.status,
    ...rowOfVerdict(capture),
    succeeded_at: capture.succeededAt,
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    paymentId: row.payment_id,
    userId: row.user_id,
    provider: row.provider,
    chargeReference: row.charge_reference,
    amount: money(row.amount, row.currency),
    status: row.status,
    ...verdictOfRow(row),
    succeededAt: row.succeeded_at,
  }),
};
