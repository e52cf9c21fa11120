import { Migration } from '@mikro-orm/migrations';

/** Adds the index by which products are found that have little in stock. */
export class LowStock extends Migration {
  override up(): void {
    this.addSql(`
      create index if not exists products_stock_thousandths_id_index on products (stock_thousandths, id)
        where stock_thousandths is not null
    `);
  }
}
