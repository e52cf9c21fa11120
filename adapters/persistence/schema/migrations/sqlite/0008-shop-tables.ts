import { Migration } from '@mikro-orm/migrations';

/** Adds the identities and erasures of users, and the changes of stocks. */
export class ShopTables extends Migration {
  override up(): void {
    this.addSql(`
      create table identities (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        user_id text not null,
        issuer text not null,
        subject text not null,
        key text not null,
        constraint identities_user_id_foreign foreign key (user_id) references users (id)
      )
    `);
    this.addSql('create index identities_user_id_id_index on identities (user_id, id)');
    this.addSql('create unique index identities_key_unique on identities (key)');
    this.addSql(`
      create table erasures (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        user_id text not null,
        status text not null,
        constraint erasures_user_id_foreign foreign key (user_id) references users (id)
      )
    `);
    this.addSql('create index erasures_user_id_id_index on erasures (user_id, id)');
    this.addSql('create index erasures_status_id_index on erasures (status, id)');
    this.addSql(`
      create table stock_changes (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        product_id text not null,
        change_thousandths bigint not null,
        reason text null,
        stock_after_thousandths bigint not null
      )
    `);
    this.addSql('create index stock_changes_product_id_id_index on stock_changes (product_id, id)');
  }
}
