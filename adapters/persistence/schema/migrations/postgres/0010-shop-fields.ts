import { Migration } from '@mikro-orm/migrations';

/**
 * Keeps the external ids of orders unique. A table that was partitioned by docs/scaling/orders-by-month.sql can have no unique
 * index without its id, so a table of its own has the external ids there, as in that script.
 */
const uniqueExternalIds = `
  do $do$
  begin
    if (select relkind from pg_class where oid = 'orders'::regclass) <> 'p' then
      create unique index orders_external_id_unique on orders (external_id) where external_id is not null;
      return;
    end if;
    create table order_external_ids (external_id text constraint orders_external_id_unique primary key);
    create function keep_order_external_id() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then delete from order_external_ids where external_id = old.external_id; end if;
      if tg_op <> 'DELETE' and new.external_id is not null then
        insert into order_external_ids values (new.external_id);
      end if;
      return null;
    end
    $$;
    create trigger orders_external_id after insert or delete on orders
      for each row execute function keep_order_external_id();
    create trigger orders_external_id_changed after update on orders
      for each row when (old.external_id is distinct from new.external_id) execute function keep_order_external_id();
  end
  $do$
`;

/** Adds what shops keep at users, products, orders, payments, refunds and keys, and the indexes of their lists. */
export class ShopFields extends Migration {
  override up(): void {
    this.addSql(`
      alter table users
        add column status text not null default 'active',
        add column external_id text null,
        add column metadata text not null default '{}'
    `);
    this.addSql(`
      alter table products
        add column image_urls text not null default '[]',
        add column tags text not null default '[]',
        add column tax_rate_thousandths int null,
        add column metadata text not null default '{}'
    `);
    this.addSql(`
      alter table orders
        add column external_id text null,
        add column metadata text not null default '{}',
        add column shipping_address text null,
        add column billing_address text null,
        add column note text null,
        add column shipping_amount bigint not null default 0,
        add column discount_amount bigint not null default 0,
        add column shipping_tax_rate_thousandths int null,
        add column taxed_items text not null default '[]'
    `);
    this.addSql('alter table order_items add column tax_rate_thousandths int null');
    this.addSql("alter table payments add column metadata text not null default '{}'");
    this.addSql("alter table refunds add column metadata text not null default '{}'");
    this.addSql(`
      alter table api_keys
        add column publishable boolean not null default false,
        add column rate_limit int null
    `);
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
    this.addSql(uniqueExternalIds);
  }
}
