import { Migration } from '@mikro-orm/migrations';

/** Adds what payments need that wait for the payer, are captured later, are disputed, or refunded at the provider. */
export class MoneyFields extends Migration {
  override up(): void {
    this.addSql("alter table payments add column capture_method text not null default 'automatic'");
    this.addSql('alter table payments add column action_expires_at timestamptz(3) null');
    this.addSql('alter table payments add column capture_before timestamptz(3) null');
    this.addSql('alter table payments add column released_amount bigint not null default 0');
    this.addSql('alter table payments add column disputed_amount bigint not null default 0');
    this.addSql("alter table refunds add column origin text not null default 'portico'");
    this.addSql('alter table orders add column unlocked_at timestamptz(3) null');
    // A weaker index under the same name: no process of the previous release cancels a payment.
    this.addSql('drop index payments_order_id_unique');
    this.addSql(
      "create unique index payments_order_id_unique on payments (order_id) where status <> 'failed' and status <> 'canceled'",
    );
  }
}
