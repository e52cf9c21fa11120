import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { OrderItemId } from '#domain/order.ts';
import type { ProductId } from '#domain/product.ts';
import type { ReviewId } from '#domain/review.ts';
import type { UserId } from '#domain/user.ts';
import { reference, resource, resourceOfRow, rowOfResource } from './columns.ts';
import { orderItems } from './order.ts';
import { type Table, tableOf } from './table.ts';

const ReviewEntity = defineEntity({
  name: 'Review',
  tableName: 'reviews',
  properties: {
    ...resource<ReviewId>(),
    item_id: reference<OrderItemId>(orderItems, 'item_id'),
    product_id: p.uuid().$type<ProductId>(),
    user_id: p.uuid().$type<UserId>(),
    rating: p.integer(),
    title: p.text().strictNullable(),
    body: p.text().strictNullable(),
    user_product: p.text().length(73).strictNullable(),
  },
  indexes: [
    { properties: ['product_id', 'id'] },
    { properties: ['user_id', 'id'] },
    { properties: ['created_at', 'id'] },
  ],
  uniques: [{ properties: ['item_id'] }, { properties: ['user_product'] }],
});

type ReviewRow = InferEntity<typeof ReviewEntity>;

export const reviews: Table<'reviews', ReviewRow> = {
  ...tableOf(ReviewEntity),
  filters: { itemId: 'item_id', productId: 'product_id', userId: 'user_id', userProduct: 'user_product' },

  toRow: (review) => ({
    ...rowOfResource(review),
    item_id: review.itemId,
    product_id: review.productId,
    user_id: review.userId,
    rating: review.rating,
    title: review.title,
    body: review.body,
    user_product: review.userProduct,
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    itemId: row.item_id,
    productId: row.product_id,
    userId: row.user_id,
    rating: row.rating,
    title: row.title,
    body: row.body,
    userProduct: row.user_product,
  }),
};
