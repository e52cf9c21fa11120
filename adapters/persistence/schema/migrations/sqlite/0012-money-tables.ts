import { Migration } from '@mikro-orm/migrations';

/** Adds captures, disputes, and where and when to look at a provider. */
export class MoneyTables extends Migration {
  override up(): void {
    this.addSql(`
      create table captures (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        payment_id text not null,
        user_id text not null,
        provider text not null,
        charge_reference text not null,
        amount bigint not null,
        currency text not null,
        status text not null,
        provider_reference text null,
        failure_code text null,
        failure_message text null,
        constraint captures_payment_id_foreign foreign key (payment_id) references payments (id)
      )
    `);
    this.addSql('create index captures_payment_id_id_index on captures (payment_id, id)');
    this.addSql('create index captures_user_id_id_index on captures (user_id, id)');
    this.addSql(`
      create table disputes (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        payment_id text not null,
        order_id text not null,
        amount bigint not null,
        currency text not null,
        reason text not null,
        status text not null,
        evidence_due_at text null,
        provider_reference text not null,
        constraint disputes_payment_id_foreign foreign key (payment_id) references payments (id)
      )
    `);
    this.addSql('create index disputes_payment_id_id_index on disputes (payment_id, id)');
    this.addSql('create index disputes_order_id_id_index on disputes (order_id, id)');
    this.addSql('create index disputes_status_id_index on disputes (status, id)');
    this.addSql(`
      create table look_ups (
        provider text not null,
        kind text not null,
        reference text not null,
        created_at text not null,
        due_at text not null,
        looked_up_at text null,
        attempts integer not null,
        events integer not null,
        primary key (provider, kind, reference)
      )
    `);
    this.addSql('create index look_ups_due_at_index on look_ups (due_at)');
    this.addSql(`
      create table provider_news (
        provider text not null primary key,
        seen_until text not null
      )
    `);
  }
}
