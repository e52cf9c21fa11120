import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { type ProductId, type ProductStatus, productStatuses } from '#domain/product.ts';
import {
  amount,
  choice,
  currency,
  indexedText,
  json,
  mediumText,
  metadata,
  metadataOfRow,
  money,
  resource,
  resourceOfRow,
  rowOfMetadata,
  rowOfResource,
  taxRate,
  thousandths,
} from './columns.ts';
import { type Table, tableOf } from './table.ts';

const ProductEntity = defineEntity({
  name: 'Product',
  tableName: 'products',
  properties: {
    ...resource<ProductId>(),
    name: p.text(),
    price_amount: amount(),
    price_currency: currency(),
    description: p.text().strictNullable(),
    sku: indexedText().strictNullable(),
    status: choice<ProductStatus>(),
    stock_thousandths: thousandths().strictNullable(),
    quantity_step_thousandths: thousandths().strictNullable(),
    image_urls: mediumText().default('[]'),
    tags: json().default('[]'),
    tax_rate_thousandths: taxRate().strictNullable(),
    ...metadata(),
  },
  indexes: [
    { properties: ['status', 'id'] },
    // Partial, so that a product whose stock is not counted costs it nothing. MariaDB has no partial indexes.
    { properties: ['stock_thousandths', 'id'], where: 'stock_thousandths is not null' },
  ],
  uniques: [{ properties: ['sku'] }],
});

type ProductRow = InferEntity<typeof ProductEntity>;

export const products: Table<'products', ProductRow> = {
  ...tableOf(ProductEntity),
  filters: { status: 'status', sku: 'sku' },
  choices: { status: productStatuses },

  toRow: (product) => ({
    ...rowOfResource(product),
    name: product.name,
    price_amount: product.price.amount,
    price_currency: product.price.currency,
    description: product.description,
    sku: product.sku,
    status: product.status,
    stock_thousandths: product.stock,
    quantity_step_thousandths: product.quantityStep,
    image_urls: JSON.stringify(product.imageUrls),
    tags: JSON.stringify(product.tags),
    tax_rate_thousandths: product.taxRate,
    ...rowOfMetadata(product),
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    name: row.name,
    price: money(row.price_amount, row.price_currency),
    description: row.description,
    sku: row.sku,
    status: row.status,
    stock: row.stock_thousandths,
    quantityStep: row.quantity_step_thousandths,
    imageUrls: JSON.parse(row.image_urls),
    tags: JSON.parse(row.tags),
    taxRate: row.tax_rate_thousandths,
    ...metadataOfRow(row),
  }),
};
