import { Migration } from '@mikro-orm/migrations';

/**
 * Adds the provider of a refund, which used to be that of its payment.
 *
 * SQLite adds a `not null` column only with a default, so the table is created anew and filled from the old one. No table
 * refers to refunds, so the old one can be dropped while foreign keys are enforced.
 * https://www.sqlite.org/lang_altertable.html#otheralter
 */
export class RefundProvider extends Migration {
  override up(): void {
    this.addSql(`
      create table new_refunds (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        payment_id text not null,
        provider text not null,
        charge_reference text not null,
        user_id text not null,
        amount bigint not null,
        currency text not null,
        reason text null,
        status text not null,
        provider_reference text null,
        failure_code text null,
        failure_message text null,
        constraint refunds_payment_id_foreign foreign key (payment_id) references payments (id)
      )
    `);
    this.addSql(`
      insert into new_refunds
      select
        refunds.id,
        refunds.version,
        refunds.created_at,
        refunds.updated_at,
        refunds.payment_id,
        payments.provider,
        refunds.charge_reference,
        refunds.user_id,
        refunds.amount,
        refunds.currency,
        refunds.reason,
        refunds.status,
        refunds.provider_reference,
        refunds.failure_code,
        refunds.failure_message
      from refunds
      join payments on payments.id = refunds.payment_id
    `);
    this.addSql('drop table refunds');
    this.addSql('alter table new_refunds rename to refunds');
    this.addSql('create index refunds_payment_id_id_index on refunds (payment_id, id)');
    this.addSql('create index refunds_user_id_id_index on refunds (user_id, id)');
  }
}
