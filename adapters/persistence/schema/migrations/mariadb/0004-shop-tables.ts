import { Migration } from '@mikro-orm/migrations';

/** As every table: texts are compared code point by code point, trailing spaces included. */
const options = 'engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_nopad_bin';

/** Adds the identities and erasures of users, and the changes of stocks. */
export class ShopTables extends Migration {
  override up(): void {
    this.addSql(`
      create table if not exists identities (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        user_id varchar(36) not null,
        issuer text not null,
        subject text not null,
        \`key\` varchar(320) not null,
        index identities_user_id_id_index (user_id, id),
        unique index identities_key_unique (\`key\`),
        constraint identities_user_id_foreign foreign key (user_id) references users (id)
      ) ${options}
    `);
    this.addSql(`
      create table if not exists erasures (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        user_id varchar(36) not null,
        status varchar(32) not null,
        index erasures_user_id_id_index (user_id, id),
        index erasures_status_id_index (status, id),
        constraint erasures_user_id_foreign foreign key (user_id) references users (id)
      ) ${options}
    `);
    this.addSql(`
      create table if not exists stock_changes (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        product_id varchar(36) not null,
        change_thousandths bigint not null,
        reason text null,
        stock_after_thousandths bigint not null,
        index stock_changes_product_id_id_index (product_id, id)
      ) ${options}
    `);
  }
}
