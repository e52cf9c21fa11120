import { Migration } from '@mikro-orm/migrations';

/** Adds what shops keep at users, products, orders, payments, refunds and keys, and the indexes of their lists. */
export class ShopFields extends Migration {
  override up(): void {
    this.addSql("alter table users add column status text not null default 'active'");
    this.addSql('alter table users add column external_id text null');
    this.addSql("alter table users add column metadata text not null default '{}'");
    this.addSql("alter table products add column image_urls text not null default '[]'");
    this.addSql("alter table products add column tags text not null default '[]'");
    this.addSql('alter table products add column tax_rate_thousandths integer null');
    this.addSql("alter table products add column metadata text not null default '{}'");
    this.addSql('alter table orders add column external_id text null');
    this.addSql("alter table orders add column metadata text not null default '{}'");
    this.addSql('alter table orders add column shipping_address text null');
    this.addSql('alter table orders add column billing_address text null');
    this.addSql('alter table orders add column note text null');
    this.addSql('alter table orders add column shipping_amount bigint not null default 0');
    this.addSql('alter table orders add column discount_amount bigint not null default 0');
    this.addSql('alter table orders add column shipping_tax_rate_thousandths integer null');
    this.addSql("alter table orders add column taxed_items text not null default '[]'");
    this.addSql('alter table order_items add column tax_rate_thousandths integer null');
    this.addSql("alter table payments add column metadata text not null default '{}'");
    this.addSql("alter table refunds add column metadata text not null default '{}'");
    this.addSql('alter table api_keys add column publishable integer not null default 0');
    this.addSql('alter table api_keys add column rate_limit integer null');
    this.addSql('create index users_role_id_index on users (role, id)');
    this.addSql('create index users_created_at_id_index on users (created_at, id)');
    this.addSql('create index orders_number_id_index on orders (number, id)');
    this.addSql('create index orders_created_at_id_index on orders (created_at, id)');
    this.addSql('create index payments_status_id_index on payments (status, id)');
    this.addSql('create index payments_created_at_id_index on payments (created_at, id)');
    this.addSql('create index refunds_created_at_id_index on refunds (created_at, id)');
    this.addSql('create index reviews_created_at_id_index on reviews (created_at, id)');
    this.addSql(
      'create unique index users_external_id_unique on users (external_id) where external_id is not null',
    );
    this.addSql(
      'create unique index orders_external_id_unique on orders (external_id) where external_id is not null',
    );
  }
}
