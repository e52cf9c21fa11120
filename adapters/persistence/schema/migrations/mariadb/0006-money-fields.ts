import { Migration } from '@mikro-orm/migrations';

/** Adds what payments need that wait for the payer, are captured later, are disputed, or refunded at the provider. */
export class MoneyFields extends Migration {
  override up(): void {
    this.addSql(`
      alter table payments
        add column if not exists capture_method varchar(32) not null default 'automatic',
        add column if not exists action_expires_at datetime(3) null,
        add column if not exists capture_before datetime(3) null,
        add column if not exists released_amount bigint not null default 0,
        add column if not exists disputed_amount bigint not null default 0
    `);
    this.addSql("alter table refunds add column if not exists origin varchar(32) not null default 'portico'");
    this.addSql('alter table orders add column if not exists unlocked_at datetime(3) null');
    // A weaker index under the same name, in one statement: no process of the previous release cancels a payment.
    this.addSql(`
      alter table payments
        add column if not exists unended_order_id varchar(36)
          as (case when status <> 'failed' and status <> 'canceled' then order_id end) virtual,
        drop index if exists payments_order_id_unique,
        add unique index payments_order_id_unique (unended_order_id)
    `);
  }
}
