import { Migration } from '@mikro-orm/migrations';

/**
 * Adds what names the user and the product of a review, and makes it unique. Of several reviews of one product by one user, which
 * earlier releases accepted, the oldest alone has it. The previous release writes reviews without it.
 */
export class OneReviewOfAProduct extends Migration {
  override up(): void {
    this.addSql('alter table reviews add column if not exists user_product varchar(73) null');
    this.addSql(`
      update reviews
        join (select min(id) as id from reviews group by user_id, product_id) as oldest on oldest.id = reviews.id
        set reviews.user_product = concat(reviews.user_id, ':', reviews.product_id)
    `);
    this.addSql('create unique index if not exists reviews_user_product_unique on reviews (user_product)');
  }
}
