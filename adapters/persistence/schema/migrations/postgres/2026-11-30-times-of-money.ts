import { Migration } from '@mikro-orm/migrations';

/** Adds when orders were paid, payments, captures and refunds succeeded, and disputes were closed. */
export class TimesOfMoney extends Migration {
  override up(): void {
    this.addSql('alter table orders add column paid_at timestamptz(3) null');
    this.addSql('alter table payments add column succeeded_at timestamptz(3) null');
    this.addSql('alter table captures add column succeeded_at timestamptz(3) null');
    this.addSql('alter table refunds add column succeeded_at timestamptz(3) null');
    this.addSql('alter table disputes add column closed_at timestamptz(3) null');
    this.addSql(
      'create index if not exists orders_paid_at_id_index on orders (paid_at, id) where paid_at is not null',
    );
  }
}
