import { Migration } from '@mikro-orm/migrations';

/** A refund names its provider. Until now it was that of its payment. */
export class RefundProvider extends Migration {
  override up(): void {
    this.addSql('alter table refunds add column provider text null');
    this.addSql(
      'update refunds set provider = payments.provider from payments where payments.id = refunds.payment_id',
    );
    this.addSql('alter table refunds alter column provider set not null');
  }
}
