import { Migration } from '@mikro-orm/migrations';

/** Adds the provider to each refund, which until now was the provider of its payment. */
export class RefundProvider extends Migration {
  override up(): void {
    this.addSql('alter table refunds add column provider text null');
    this.addSql(
      'update refunds set provider = payments.provider from payments where payments.id = refunds.payment_id',
    );
    this.addSql('alter table refunds alter column provider set not null');
  }
}
