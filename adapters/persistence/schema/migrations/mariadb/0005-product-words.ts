import { Migration } from '@mikro-orm/migrations';

/** Adds the words by which products are found. A background job adds those of the products that exist. */
export class ProductWords extends Migration {
  override up(): void {
    this.addSql(`
      create table if not exists product_words (
        word varchar(64) not null,
        product_id varchar(36) not null,
        primary key (word, product_id),
        index product_words_product_id_word_index (product_id, word)
      ) engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_nopad_bin
    `);
  }
}
