import { Migration } from '@mikro-orm/migrations';

/**
 * Adds what shops keep at users, products, orders, payments, refunds and keys, and the indexes of their lists.
 * A `text` holds 64 KiB, which ten URLs outside ASCII exceed, and so do the rates of an order of thousands of items.
 */
export class ShopFields extends Migration {
  override up(): void {
    this.addSql(`
      alter table users
        add column if not exists status varchar(32) not null default 'active',
        add column if not exists external_id varchar(320) null,
        add column if not exists metadata text not null default '{}'
    `);
    this.addSql(`
      alter table products
        add column if not exists image_urls mediumtext not null default '[]',
        add column if not exists tags text not null default '[]',
        add column if not exists tax_rate_thousandths int null,
        add column if not exists metadata text not null default '{}'
    `);
    this.addSql(`
      alter table orders
        add column if not exists external_id varchar(320) null,
        add column if not exists metadata text not null default '{}',
        add column if not exists shipping_address text null,
        add column if not exists billing_address text null,
        add column if not exists note text null,
        add column if not exists shipping_amount bigint not null default 0,
        add column if not exists discount_amount bigint not null default 0,
        add column if not exists shipping_tax_rate_thousandths int null,
        add column if not exists taxed_items mediumtext not null default '[]'
    `);
    this.addSql('alter table order_items add column if not exists tax_rate_thousandths int null');
    this.addSql("alter table payments add column if not exists metadata text not null default '{}'");
    this.addSql("alter table refunds add column if not exists metadata text not null default '{}'");
    this.addSql(`
      alter table api_keys
        add column if not exists publishable tinyint not null default 0,
        add column if not exists rate_limit int null
    `);
    this.addSql('create index if not exists users_role_id_index on users (role, id)');
    this.addSql('create index if not exists users_created_at_id_index on users (created_at, id)');
    this.addSql('create index if not exists orders_number_id_index on orders (number, id)');
    this.addSql('create index if not exists orders_created_at_id_index on orders (created_at, id)');
    this.addSql('create index if not exists payments_status_id_index on payments (status, id)');
    this.addSql('create index if not exists payments_created_at_id_index on payments (created_at, id)');
    this.addSql('create index if not exists refunds_created_at_id_index on refunds (created_at, id)');
    this.addSql('create index if not exists reviews_created_at_id_index on reviews (created_at, id)');
    this.addSql('create unique index if not exists users_external_id_unique on users (external_id)');
    this.addSql('create unique index if not exists orders_external_id_unique on orders (external_id)');
  }
}
