import { Migration } from '@mikro-orm/migrations';

/** Adds when orders were paid, payments, captures and refunds succeeded, and disputes were closed. */
export class TimesOfMoney extends Migration {
  override up(): void {
    this.addSql('alter table orders add column if not exists paid_at datetime(3) null');
    this.addSql('alter table payments add column if not exists succeeded_at datetime(3) null');
    this.addSql('alter table captures add column if not exists succeeded_at datetime(3) null');
    this.addSql('alter table refunds add column if not exists succeeded_at datetime(3) null');
    this.addSql('alter table disputes add column if not exists closed_at datetime(3) null');
    this.addSql('create index if not exists orders_paid_at_id_index on orders (paid_at, id)');
  }
}
