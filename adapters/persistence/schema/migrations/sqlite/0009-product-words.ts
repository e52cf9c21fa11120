import { Migration } from '@mikro-orm/migrations';

/** Adds the words by which products are found. A background job adds those of the products that exist. */
export class ProductWords extends Migration {
  override up(): void {
    this.addSql(`
      create table product_words (
        word text not null,
        product_id text not null,
        primary key (word, product_id)
      ) without rowid
    `);
    this.addSql('create index product_words_product_id_word_index on product_words (product_id, word)');
  }
}
