import { Migration } from '@mikro-orm/migrations';

/**
 * Adds what names the user and the product of a review, and makes it unique. Of several reviews of one product by one user, which
 * earlier releases accepted, the oldest alone has it. The previous release writes reviews without it.
 */
export class OneReviewOfAProduct extends Migration {
  override up(): void {
    this.addSql('alter table reviews add column user_product text null');
    this.addSql(`
      update reviews set user_product = user_id || ':' || product_id
        where id in (select min(id) from reviews group by user_id, product_id)
    `);
    this.addSql('create unique index reviews_user_product_unique on reviews (user_product)');
  }
}
