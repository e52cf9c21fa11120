import { Migration } from '@mikro-orm/migrations';

/** Adds the identities and erasures of users, and the changes of stocks. */
export class ShopTables extends Migration {
  override up(): void {
    this.addSql(`
      create table identities (
        id uuid not null,
        version int not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        user_id uuid not null,
        issuer text not null,
        subject text not null,
        key text not null,
        primary key (id)
      )
    `);
    this.addSql('create index identities_user_id_id_index on identities (user_id, id)');
    this.addSql('alter table identities add constraint identities_key_unique unique (key)');
    this.addSql(
      'alter table identities add constraint identities_user_id_foreign foreign key (user_id) references users (id)',
    );
    this.addSql(`
      create table erasures (
        id uuid not null,
        version int not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        user_id uuid not null,
        status text not null,
        primary key (id)
      )
    `);
    this.addSql('create index erasures_user_id_id_index on erasures (user_id, id)');
    this.addSql('create index erasures_status_id_index on erasures (status, id)');
    this.addSql(
      'alter table erasures add constraint erasures_user_id_foreign foreign key (user_id) references users (id)',
    );
    this.addSql(`
      create table stock_changes (
        id uuid not null,
        version int not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        product_id uuid not null,
        change_thousandths bigint not null,
        reason text null,
        stock_after_thousandths bigint not null,
        primary key (id)
      )
    `);
    this.addSql('create index stock_changes_product_id_id_index on stock_changes (product_id, id)');
  }
}
