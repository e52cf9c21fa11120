import { Migration } from '@mikro-orm/migrations';

export class Initial extends Migration {
  override up(): void {
    this.addSql(`
      create table users (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        email text not null,
        name text not null,
        role text not null
      )
    `);
    this.addSql('create unique index users_email_unique on users (email)');

    this.addSql(`
      create table products (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        name text not null,
        price_amount bigint not null,
        price_currency text not null,
        description text null,
        sku text null,
        status text not null,
        stock_thousandths bigint null
      )
    `);
    this.addSql('create index products_status_id_index on products (status, id)');
    this.addSql('create unique index products_sku_unique on products (sku)');

    this.addSql(`
      create table orders (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        user_id text not null,
        number text not null,
        status text not null,
        total_amount bigint not null,
        total_currency text not null,
        item_count integer not null,
        paying integer not null,
        constraint orders_user_id_foreign foreign key (user_id) references users (id)
      )
    `);
    this.addSql('create index orders_user_id_id_index on orders (user_id, id)');
    this.addSql('create index orders_status_id_index on orders (status, id)');

    this.addSql(`
      create table order_items (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        order_id text not null,
        product_id text not null,
        product_name text not null,
        unit_price_amount bigint not null,
        total_amount bigint not null,
        currency text not null,
        quantity_thousandths bigint not null,
        counted integer not null,
        constraint order_items_order_id_foreign foreign key (order_id) references orders (id)
      )
    `);
    this.addSql('create index order_items_order_id_id_index on order_items (order_id, id)');

    this.addSql(`
      create table reviews (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        item_id text not null,
        product_id text not null,
        user_id text not null,
        rating integer not null,
        title text null,
        body text null,
        constraint reviews_item_id_foreign foreign key (item_id) references order_items (id)
      )
    `);
    this.addSql('create index reviews_product_id_id_index on reviews (product_id, id)');
    this.addSql('create index reviews_user_id_id_index on reviews (user_id, id)');
    this.addSql('create unique index reviews_item_id_unique on reviews (item_id)');

    this.addSql(`
      create table payments (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        order_id text not null,
        user_id text not null,
        amount bigint not null,
        refunded_amount bigint not null,
        refunding_amount bigint not null,
        currency text not null,
        status text not null,
        provider text not null,
        provider_reference text null,
        failure_code text null,
        failure_message text null,
        constraint payments_order_id_foreign foreign key (order_id) references orders (id)
      )
    `);
    this.addSql('create index payments_order_id_id_index on payments (order_id, id)');
    this.addSql('create index payments_user_id_id_index on payments (user_id, id)');
    this.addSql(
      "create unique index payments_order_id_unique on payments (order_id) where status <> 'failed'",
    );

    this.addSql(`
      create table refunds (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        payment_id text not null,
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
    this.addSql('create index refunds_payment_id_id_index on refunds (payment_id, id)');
    this.addSql('create index refunds_user_id_id_index on refunds (user_id, id)');

    this.addSql(`
      create table api_keys (
        id text not null primary key,
        version integer not null,
        created_at text not null,
        updated_at text not null,
        user_id text not null,
        name text not null,
        scopes text not null,
        secret_hash text not null,
        expires_at text null,
        last_used_at text null,
        constraint api_keys_user_id_foreign foreign key (user_id) references users (id)
      )
    `);
    this.addSql('create index api_keys_user_id_id_index on api_keys (user_id, id)');

    this.addSql(`
      create table idempotency_keys (
        user_id text not null,
        key text not null,
        role text not null,
        fingerprint text not null,
        created_at text not null,
        answer text null,
        process text null,
        subject text null,
        lease_until text null,
        fence integer null,
        primary key (user_id, key)
      )
    `);
    this.addSql('create index idempotency_keys_created_at_index on idempotency_keys (created_at)');
    this.addSql(
      'create index idempotency_keys_lease_until_index on idempotency_keys (lease_until) where lease_until is not null',
    );
  }
}
