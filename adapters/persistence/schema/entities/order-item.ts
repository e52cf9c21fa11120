import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { OrderItemId } from '#domain/order.ts';
import type { ProductId } from '#domain/product.ts';
import {
  amount,
  currency,
  flag,
  flagOf,
  money,
  resource,
  resourceOfRow,
  rowOfResource,
  thousandths,
} from './columns.ts';
import { OrderEntity } from './order.ts';
import { columnsOf, type Table } from './table.ts';

/** The product is no foreign key: it may be deleted, and its orders stay whole. */
export const OrderItemEntity = defineEntity({
  name: 'OrderItem',
  tableName: 'order_items',
  properties: {
    ...resource<OrderItemId>(),
    order_id: p.manyToOne(OrderEntity).mapToPk().fieldName('order_id').index(false),
    product_id: p.uuid().$type<ProductId>(),
    product_name: p.text(),
    unit_price_amount: amount(),
    total_amount: amount(),
    currency: currency(),
    quantity_thousandths: thousandths(),
    counted: flag(),
  },
  indexes: [{ properties: ['order_id', 'id'] }],
});

type OrderItemRow = InferEntity<typeof OrderItemEntity>;

export const orderItems: Table<'orderItems', OrderItemRow> = {
  name: OrderItemEntity.tableName,
  columns: columnsOf(OrderItemEntity),
  filters: { orderId: 'order_id' },

  toRow: (item) => ({
    ...rowOfResource(item),
    order_id: item.orderId,
    product_id: item.productId,
    product_name: item.productName,
    unit_price_amount: item.unitPrice.amount,
    total_amount: item.total.amount,
    currency: item.total.currency,
    quantity_thousandths: item.quantity,
    counted: flagOf(item.counted),
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    orderId: row.order_id,
    productId: row.product_id,
    productName: row.product_name,
    unitPrice: money(row.unit_price_amount, row.currency),
    quantity: row.quantity_thousandths,
    total: money(row.total_amount, row.currency),
    counted: row.counted === 1,
  }),
};
