-- Keeps orders and their items in parts of a month, so that those of a month can go at once. Nothing of Portico has to be
-- changed or stopped for it: ids begin with the time of their making, so a range of ids is a range of time, the primary
-- keys stay as they are, and every statement means what it meant. Run it once, as the owner of the tables, with
-- `psql --set ON_ERROR_STOP=1 --file orders-by-month.sql`; it locks both tables while it reads them through once.

-- The first id that a moment can have (RFC 9562, 5.7: UUIDv7 begins with 48 bits of milliseconds).
create function first_id(moment timestamptz) returns uuid language sql immutable strict as $$
  select rpad(lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;

-- Makes the part of a month, for both tables. Call it for the month after next, once a month:
-- select add_month(now() + interval '2 months');
create function add_month(moment timestamptz) returns void language plpgsql as $$
declare
  begins timestamptz := date_trunc('month', moment, 'UTC');
  ends timestamptz := begins + interval '1 month';
  month text := to_char(begins at time zone 'UTC', 'YYYY_MM');
  parted text;
begin
  foreach parted in array array['orders', 'order_items'] loop
    execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
      parted || '_' || month, parted, first_id(begins), first_id(ends));
  end loop;
end
$$;

begin;
set local timezone = 'UTC';

-- What refers to them must not keep a month from going. Orders are never deleted otherwise, nor items of paid orders.
alter table reviews drop constraint reviews_item_id_foreign;
alter table payments drop constraint payments_order_id_foreign;
alter table order_items drop constraint order_items_order_id_foreign;

-- All that there is becomes the first part, up to the end of this month.
alter table orders rename to orders_before;
create table orders (like orders_before including all) partition by range (id);
alter table orders add constraint orders_user_id_foreign foreign key (user_id) references users (id);
alter table orders_before drop constraint orders_user_id_foreign;
alter table order_items rename to order_items_before;
create table order_items (like order_items_before including all) partition by range (id);

do $$
declare
  next_month timestamptz := date_trunc('month', now()) + interval '1 month';
begin
  execute format('alter table orders attach partition orders_before for values from (minvalue) to (%L)', first_id(next_month));
  execute format('alter table order_items attach partition order_items_before for values from (minvalue) to (%L)', first_id(next_month));
  perform add_month(next_month);
  perform add_month(next_month + interval '1 month');
end
$$;

-- Where a month has been forgotten, its orders are kept all the same.
create table orders_otherwise partition of orders default;
create table order_items_otherwise partition of order_items default;
commit;
