import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { type OrderId, type OrderStatus, orderStatuses } from '#domain/order.ts';
import { amount, currency, flag, flagOf, money, resource, resourceOfRow, rowOfResource } from './columns.ts';
import { columnsOf, type Table } from './table.ts';
import { UserEntity } from './user.ts';

export const OrderEntity = defineEntity({
  name: 'Order',
  tableName: 'orders',
  properties: {
    ...resource<OrderId>(),
    user_id: p.manyToOne(UserEntity).mapToPk().fieldName('user_id').index(false),
    number: p.text(),
    status: p.text().$type<OrderStatus>(),
    total_amount: amount(),
    total_currency: currency(),
    item_count: p.integer(),
    paying: flag(),
  },
  indexes: [{ properties: ['user_id', 'id'] }, { properties: ['status', 'id'] }],
});

type OrderRow = InferEntity<typeof OrderEntity>;

export const orders: Table<'orders', OrderRow> = {
  name: OrderEntity.tableName,
  columns: columnsOf(OrderEntity),
  filters: { userId: 'user_id', status: 'status' },
  choices: { status: orderStatuses },

  toRow: (order) => ({
    ...rowOfResource(order),
    user_id: order.userId,
    number: order.number,
    status: order.status,
    total_amount: order.total.amount,
    total_currency: order.total.currency,
    item_count: order.itemCount,
    paying: flagOf(order.paying),
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    userId: row.user_id,
    number: row.number,
    status: row.status,
    total: money(row.total_amount, row.total_currency),
    itemCount: row.item_count,
    paying: row.paying === 1,
  }),
};
