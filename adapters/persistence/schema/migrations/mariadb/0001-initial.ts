import { Migration } from '@mikro-orm/migrations';

/**
 * Texts are compared code point by code point, trailing spaces included. Names and other texts that no index holds have no
 * limit of their own here, because the domain has one.
 */
const options = 'engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_nopad_bin';

/** The whole schema. MariaDB commits each table at once, so a table that exists is left as it is when the migration runs again. */
export class Initial extends Migration {
  override up(): void {
    this.addSql(`
      create table if not exists users (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        email varchar(320) not null,
        name text not null,
        role varchar(32) not null,
        unique index users_email_unique (email)
      ) ${options}
    `);

    this.addSql(`
      create table if not exists products (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        name text not null,
        price_amount bigint not null,
        price_currency varchar(3) not null,
        description text null,
        sku varchar(320) null,
        status varchar(32) not null,
        stock_thousandths bigint null,
        index products_status_id_index (status, id),
        unique index products_sku_unique (sku)
      ) ${options}
    `);

    this.addSql(`
      create table if not exists orders (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        user_id varchar(36) not null,
        number varchar(320) not null,
        status varchar(32) not null,
        total_amount bigint not null,
        total_currency varchar(3) not null,
        item_count int not null,
        paying tinyint not null,
        index orders_user_id_id_index (user_id, id),
        index orders_status_id_index (status, id),
        constraint orders_user_id_foreign foreign key (user_id) references users (id)
      ) ${options}
    `);

    this.addSql(`
      create table if not exists order_items (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        order_id varchar(36) not null,
        product_id varchar(36) not null,
        product_name text not null,
        unit_price_amount bigint not null,
        total_amount bigint not null,
        currency varchar(3) not null,
        quantity_thousandths bigint not null,
        counted tinyint not null,
        index order_items_order_id_id_index (order_id, id),
        constraint order_items_order_id_foreign foreign key (order_id) references orders (id)
      ) ${options}
    `);

    this.addSql(`
      create table if not exists reviews (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        item_id varchar(36) not null,
        product_id varchar(36) not null,
        user_id varchar(36) not null,
        rating int not null,
        title text null,
        body text null,
        index reviews_product_id_id_index (product_id, id),
        index reviews_user_id_id_index (user_id, id),
        unique index reviews_item_id_unique (item_id),
        constraint reviews_item_id_foreign foreign key (item_id) references order_items (id)
      ) ${options}
    `);

    this.addSql(`
      create table if not exists payments (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        order_id varchar(36) not null,
        user_id varchar(36) not null,
        amount bigint not null,
        refunded_amount bigint not null,
        refunding_amount bigint not null,
        currency varchar(3) not null,
        status varchar(32) not null,
        provider text not null,
        provider_reference text null,
        failure_code text null,
        failure_message text null,
        live_order_id varchar(36) as (case when status <> 'failed' then order_id end) virtual,
        index payments_order_id_id_index (order_id, id),
        index payments_user_id_id_index (user_id, id),
        unique index payments_order_id_unique (live_order_id),
        constraint payments_order_id_foreign foreign key (order_id) references orders (id)
      ) ${options}
    `);

    this.addSql(`
      create table if not exists refunds (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        payment_id varchar(36) not null,
        provider text not null,
        charge_reference text not null,
        user_id varchar(36) not null,
        amount bigint not null,
        currency varchar(3) not null,
        reason text null,
        status varchar(32) not null,
        provider_reference text null,
        failure_code text null,
        failure_message text null,
        index refunds_payment_id_id_index (payment_id, id),
        index refunds_user_id_id_index (user_id, id),
        constraint refunds_payment_id_foreign foreign key (payment_id) references payments (id)
      ) ${options}
    `);

    this.addSql(`
      create table if not exists api_keys (
        id varchar(36) not null primary key,
        version int not null,
        created_at datetime(3) not null,
        updated_at datetime(3) not null,
        user_id varchar(36) not null,
        name text not null,
        scopes text not null,
        secret_hash text not null,
        expires_at datetime(3) null,
        last_used_at datetime(3) null,
        index api_keys_user_id_id_index (user_id, id),
        constraint api_keys_user_id_foreign foreign key (user_id) references users (id)
      ) ${options}
    `);

    this.addSql(`
      create table if not exists idempotency_keys (
        user_id varchar(36) not null,
        \`key\` varchar(320) not null,
        role varchar(32) not null,
        fingerprint text not null,
        created_at datetime(3) not null,
        answer mediumtext null,
        process text null,
        subject varchar(36) null,
        lease_until datetime(3) null,
        fence int null,
        primary key (user_id, \`key\`),
        index idempotency_keys_created_at_index (created_at),
        index idempotency_keys_lease_until_index (lease_until)
      ) ${options}
    `);

    this.addSql(`
      create table if not exists duties (
        name varchar(320) not null primary key,
        holder text not null,
        until datetime(3) not null
      ) ${options}
    `);

    this.addSql(`
      create table if not exists sandbox_ledger (
        id varchar(700) not null primary key,
        verdict text not null
      ) ${options}
    `);

    this.addSql(`
      create table if not exists quotas (
        \`key\` varchar(36) not null primary key,
        ends_at bigint not null,
        used int not null,
        granted int not null,
        index quotas_ends_at_index (ends_at)
      ) ${options}
    `);
  }
}
