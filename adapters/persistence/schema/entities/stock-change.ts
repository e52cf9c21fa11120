import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ProductId } from '#domain/product.ts';
import type { StockChangeId } from '#domain/stock-change.ts';
import { resource, resourceOfRow, rowOfResource, thousandths } from './columns.ts';
import { type Table, tableOf } from './table.ts';

/** The product is not a foreign key, so that a product can be deleted while the history of its stock stays. */
const StockChangeEntity = defineEntity({
  name: 'StockChange',
  tableName: 'stock_changes',
  properties: {
    ...resource<StockChangeId>(),
    product_id: p.uuid().$type<ProductId>(),
    change_thousandths: thousandths(),
    reason: p.text().strictNullable(),
    stock_after_thousandths: thousandths(),
  },
  indexes: [{ properties: ['product_id', 'id'] }],
});

type StockChangeRow = InferEntity<typeof StockChangeEntity>;

export const stockChanges: Table<'stockChanges', StockChangeRow> = {
  ...tableOf(StockChangeEntity),
  filters: { productId: 'product_id' },

  toRow: (change) => ({
    ...rowOfResource(change),
    product_id: change.productId,
    change_thousandths: change.change,
    reason: change.reason,
    stock_after_thousandths: change.stockAfter,
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    productId: row.product_id,
    change: row.change_thousandths,
    reason: row.reason,
    stockAfter: row.stock_after_thousandths,
  }),
};
