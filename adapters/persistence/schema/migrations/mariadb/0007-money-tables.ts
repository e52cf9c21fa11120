import { Migration } from '@mikro-orm/migrations';

/** As every table: texts are compared code point by code point, trailing spaces included. */
const options = 'engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_nopad_bin';

/** Adds captures, disputes, and where and when to look at a provider. */
export class MoneyTables extends Migration {
  override up(): void {
    this.addSql(`
      create table if not exists captures (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        payment_id varchar(36) not null,
        user_id varchar(36) not null,
        provider text not null,
        charge_reference text not null,
        amount bigint not null,
        currency varchar(3) not null,
        status varchar(32) not null,
        provider_reference text null,
        failure_code text null,
        failure_message text null,
        index captures_payment_id_id_index (payment_id, id),
        index captures_user_id_id_index (user_id, id),
        constraint captures_payment_id_foreign foreign key (payment_id) references payments (id)
      ) ${options}
    `);
    this.addSql(`
      create table if not exists disputes (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        payment_id varchar(36) not null,
        order_id varchar(36) not null,
        amount bigint not null,
        currency varchar(3) not null,
        reason text not null,
        status varchar(32) not null,
        evidence_due_at datetime(3) null,
        provider_reference text not null,
        index disputes_payment_id_id_index (payment_id, id),
        index disputes_order_id_id_index (order_id, id),
        index disputes_status_id_index (status, id),
        constraint disputes_payment_id_foreign foreign key (payment_id) references payments (id)
      ) ${options}
    `);
    this.addSql(`
      create table if not exists look_ups (
        provider varchar(320) not null,
        kind varchar(32) not null,
        reference varchar(320) not null,
        created_at datetime(3) not null,
        due_at datetime(3) not null,
        looked_up_at datetime(3) null,
        attempts int not null,
        events int not null,
        primary key (provider, kind, reference),
        index look_ups_due_at_index (due_at)
      ) ${options}
    `);
    this.addSql(`
      create table if not exists provider_news (
        provider varchar(320) not null primary key,
        seen_until datetime(3) not null
      ) ${options}
    `);
  }
}
