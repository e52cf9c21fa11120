import { Migration } from '@mikro-orm/migrations';

/** Adds the step of ordered quantities. Products of before have none, so they are ordered in thousandths as they were. */
export class QuantityStep extends Migration {
  override up(): void {
    this.addSql('alter table products add column quantity_step_thousandths bigint null');
  }
}
