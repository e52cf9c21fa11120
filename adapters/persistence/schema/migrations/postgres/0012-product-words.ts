import { Migration } from '@mikro-orm/migrations';

/** Adds the words by which products are found. A background job adds those of the products that exist. */
export class ProductWords extends Migration {
  override up(): void {
    this.addSql(`
      create table product_words (
        word text collate "C" not null,
        product_id uuid not null,
        primary key (word, product_id)
      )
    `);
    this.addSql('create index product_words_product_id_word_index on product_words (product_id, word)');
  }
}
