import { Migration } from '@mikro-orm/migrations';

/** Adds captures, disputes, and where and when to look at a provider. */
export class MoneyTables extends Migration {
  override up(): void {
    this.addSql(`
      create table captures (
        id uuid not null,
        version int not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        payment_id uuid not null,
        user_id uuid not null,
        provider text not null,
        charge_reference text not null,
        amount bigint not null,
        currency varchar(3) not null,
        status text not null,
        provider_reference text null,
        failure_code text null,
        failure_message text null,
        primary key (id)
      )
    `);
    this.addSql('create index captures_payment_id_id_index on captures (payment_id, id)');
    this.addSql('create index captures_user_id_id_index on captures (user_id, id)');
    this.addSql(
      'alter table captures add constraint captures_payment_id_foreign foreign key (payment_id) references payments (id)',
    );
    this.addSql(`
      create table disputes (
        id uuid not null,
        version int not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        payment_id uuid not null,
        order_id uuid not null,
        amount bigint not null,
        currency varchar(3) not null,
        reason text not null,
        status text not null,
        evidence_due_at timestamptz(3) null,
        provider_reference text not null,
        primary key (id)
      )
    `);
    this.addSql('create index disputes_payment_id_id_index on disputes (payment_id, id)');
    this.addSql('create index disputes_order_id_id_index on disputes (order_id, id)');
    this.addSql('create index disputes_status_id_index on disputes (status, id)');
    this.addSql(
      'alter table disputes add constraint disputes_payment_id_foreign foreign key (payment_id) references payments (id)',
    );
    this.addSql(`
      create table look_ups (
        provider text not null,
        kind text not null,
        reference text not null,
        created_at timestamptz(3) not null,
        due_at timestamptz(3) not null,
        looked_up_at timestamptz(3) null,
        attempts int not null,
        events int not null,
        primary key (provider, kind, reference)
      )
    `);
    this.addSql('create index look_ups_due_at_index on look_ups (due_at)');
    this.addSql(`
      create table provider_news (
        provider text not null,
        seen_until timestamptz(3) not null,
        primary key (provider)
      )
    `);
  }
}
