import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { type DisputeId, type DisputeStatus, disputeStatuses } from '#domain/dispute.ts';
import type { OrderId } from '#domain/order.ts';
import type { PaymentId } from '#domain/payment.ts';
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
} from './columns.ts';
import { payments } from './payment.ts';
import { type Table, tableOf } from './table.ts';

const DisputeEntity = defineEntity({
  name: 'Dispute',
  tableName: 'disputes',
  properties: {
    ...resource<DisputeId>(),
    payment_id: reference<PaymentId>(payments, 'payment_id'),
    order_id: p.uuid().$type<OrderId>(),
    amount: amount(),
    currency: currency(),
    reason: p.text(),
    status: choice<DisputeStatus>(),
    evidence_due_at: instant().strictNullable(),
    provider_reference: p.text(),
    closed_at: instant().strictNullable(),
  },
  indexes: [
    { properties: ['payment_id', 'id'] },
    { properties: ['order_id', 'id'] },
    { properties: ['status', 'id'] },
    { properties: ['created_at', 'id'] },
  ],
});

type DisputeRow = InferEntity<typeof DisputeEntity>;

export const disputes: Table<'disputes', DisputeRow> = {
  ...tableOf(DisputeEntity),
  filters: { paymentId: 'payment_id', orderId: 'order_id', status: 'status' },
  choices: { status: disputeStatuses },

  toRow: (dispute) => ({
    ...rowOfResource(dispute),
    payment_id: dispute.paymentId,
    order_id: dispute.orderId,
    amount: dispute.amount.amount,
    currency: dispute.amount.currency,
    reason: dispute.reason,
    status: dispute.status,
    evidence_due_at: dispute.evidenceDueAt,
    provider_reference: dispute.providerReference,
    closed_at: dispute.closedAt,
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    paymentId: row.payment_id,
    orderId: row.order_id,
    amount: money(row.amount, row.currency),
    reason: row.reason,
    status: row.status,
    evidenceDueAt: row.evidence_due_at,
    providerReference: row.provider_reference,
    closedAt: row.closed_at,
  }),
};
