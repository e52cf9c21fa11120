import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Address } from '#domain/address.ts';
import { type OrderId, type OrderItemId, type OrderStatus, orderStatuses } from '#domain/order.ts';
import type { ProductId } from '#domain/product.ts';
import type { UserId } from '#domain/user.ts';
import {
  amount,
  choice,
  currency,
  flag,
  flagOf,
  indexedText,
  instant,
  json,
  mediumText,
  metadata,
  metadataOfRow,
  money,
  reference,
  resource,
  resourceOfRow,
  rowOfMetadata,
  rowOfResource,
  taxRate,
  thousandths,
  uniqueExternalId,
} from './columns.ts';
import { type Table, tableOf } from './table.ts';
import { users } from './user.ts';

const OrderEntity = defineEntity({
  name: 'Order',
  tableName: 'orders',
  properties: {
    ...resource<OrderId>(),
    user_id: reference<UserId>(users, 'user_id'),
    number: indexedText(),
    status: choice<OrderStatus>(),
    total_amount: amount(),
    total_currency: currency(),
    item_count: p.integer(),
    paying: flag(),
    external_id: indexedText().strictNullable(),
    ...metadata(),
    shipping_address: json().strictNullable(),
    billing_address: json().strictNullable(),
    note: p.text().strictNullable(),
    shipping_amount: amount().defaultRaw('0'),
    discount_amount: amount().defaultRaw('0'),
    shipping_tax_rate_thousandths: taxRate().strictNullable(),
    taxed_items: mediumText().default('[]'),
    unlocked_at: instant().strictNullable(),
    paid_at: instant().strictNullable(),
  },
  indexes: [
    { properties: ['user_id', 'id'] },
    { properties: ['status', 'id'] },
    { properties: ['number', 'id'] },
    { properties: ['created_at', 'id'] },
    // POST /orders does not write it: it has only what was paid.
    { properties: ['paid_at', 'id'], where: 'paid_at is not null' },
  ],
  uniques: [uniqueExternalId],
});

type OrderRow = InferEntity<typeof OrderEntity>;

export const orders: Table<'orders', OrderRow> = {
  ...tableOf(OrderEntity),
  filters: { userId: 'user_id', status: 'status', number: 'number', externalId: 'external_id' },
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
    unlocked_at: order.unlockedAt,
    paid_at: order.paidAt,
    external_id: order.externalId,
    ...rowOfMetadata(order),
    shipping_address: rowOfAddress(order.shippingAddress),
    billing_address: rowOfAddress(order.billingAddress),
    note: order.note,
    shipping_amount: order.shipping.amount,
    discount_amount: order.discount.amount,
    shipping_tax_rate_thousandths: order.shippingTaxRate,
    taxed_items: JSON.stringify(order.taxedItems),
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    userId: row.user_id,
    number: row.number,
    status: row.status,
    total: money(row.total_amount, row.total_currency),
    itemCount: row.item_count,
    paying: row.paying === 1,
    unlockedAt: row.unlocked_at,
    paidAt: row.paid_at,
    externalId: row.external_id,
    ...metadataOfRow(row),
    shippingAddress: addressOfRow(row.shipping_address),
    billingAddress: addressOfRow(row.billing_address),
    note: row.note,
    shipping: money(row.shipping_amount, row.total_currency),
    discount: money(row.discount_amount, row.total_currency),
    shippingTaxRate: row.shipping_tax_rate_thousandths,
    taxedItems: JSON.parse(row.taxed_items),
  }),
};

const rowOfAddress = (address: Address | null): string | null => address && JSON.stringify(address);

const addressOfRow = (column: string | null): Address | null => (column === null ? null : JSON.parse(column));

/** The product is not a foreign key, so that a product can be deleted while its orders stay complete. */
const OrderItemEntity = defineEntity({
  name: 'OrderItem',
  tableName: 'order_items',
  properties: {
    ...resource<OrderItemId>(),
    order_id: reference<OrderId>(orders, 'order_id'),
    product_id: p.uuid().$type<ProductId>(),
    product_name: p.text(),
    unit_price_amount: amount(),
    total_amount: amount(),
    currency: currency(),
    quantity_thousandths: thousandths(),
    counted: flag(),
    tax_rate_thousandths: taxRate().strictNullable(),
  },
  indexes: [{ properties: ['order_id', 'id'] }],
});

type OrderItemRow = InferEntity<typeof OrderItemEntity>;

export const orderItems: Table<'orderItems', OrderItemRow> = {
  ...tableOf(OrderItemEntity),
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
    tax_rate_thousandths: item.taxRate,
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
    taxRate: row.tax_rate_thousandths,
  }),
};
