-- Partitions orders and their items by month, so that a month can be dropped as a whole. Run it once, as the owner of the
-- tables; it locks both tables while it scans them once:
--
--   psql --set ON_ERROR_STOP=1 --file orders-by-month.sql
--
-- Portico need not be changed or stopped. An id begins with the time of its creation (UUIDv7), so a range of ids is a range
-- of time. The primary keys stay, and every statement keeps its meaning.

-- Returns the smallest id of a moment (RFC 9562 section 5.7: a UUIDv7 begins with 48 bits of milliseconds).
create function first_id(moment timestamptz) returns uuid language sql immutable strict as $$
  select rpad(lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid
$$;

-- Creates the partitions of a month in both tables. Call it once a month, for the month after next:
--
--   select add_month(now() + interval '2 months');
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

-- These foreign keys would keep a month from being dropped. Portico itself never deletes an order or an item of a paid one.
alter table reviews drop constraint reviews_item_id_foreign;
alter table payments drop constraint payments_order_id_foreign;
alter table order_items drop constraint order_items_order_id_foreign;

-- A unique index over all months would need the id. The last statements keep external ids unique in another way.
alter table orders drop constraint if exists orders_external_id_unique;
drop index if exists orders_external_id_unique;

-- The existing rows become the first partition, up to the end of this month.
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

-- The default partitions take the rows of a month whose partitions were not created.
create table orders_otherwise partition of orders default;
create table order_items_otherwise partition of order_items default;

-- External ids stay unique by a table of their own. When you drop a month, its external ids stay taken until you run
--
--   delete from order_external_ids where external_id not in (select external_id from orders where external_id is not null);
create table order_external_ids (external_id text constraint orders_external_id_unique primary key);
insert into order_external_ids select external_id from orders where external_id is not null;
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
commit;
