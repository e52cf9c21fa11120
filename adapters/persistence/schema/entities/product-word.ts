import { defineEntity, p } from '@mikro-orm/core';
import type { ProductId } from '#domain/product.ts';
import { type Row, tableOf } from './table.ts';

/**
 * The inverted index of products. No foreign key: it would cost each word a read of its product, and words of a product that
 * is gone find nothing. PostgreSQL compares the words by code point, as the other databases do everywhere.
 */
export const ProductWordEntity = defineEntity({
  name: 'ProductWord',
  tableName: 'product_words',
  properties: {
    word: p.text().length(64).primary().ignoreSchemaChanges('collation'),
    product_id: p.uuid().$type<ProductId>().primary(),
  },
  indexes: [{ properties: ['product_id', 'word'] }],
});

export interface ProductWordRow extends Row {
  readonly word: string;
  readonly product_id: ProductId;
}

/** Its words go together: they are removed by product. */
export const productWords = {
  ...tableOf(ProductWordEntity),
  key: ['product_id'],
  isVersioned: false,
};
