import { randomUUID } from 'node:crypto';

/** Generated from the entities. What the generator cannot express was added by hand, with a comment. */
export const postgresBaseline = (): readonly string[] => [
  `
    create table idempotency_keys (
      user_id uuid not null,
      key text not null,
      part int not null default 1,
      role text not null,
      fingerprint text not null,
      created_at timestamptz(3) not null,
      answer text null,
      process text null,
      subject uuid null,
      lease_until timestamptz(3) null,
      fence int null,
      id uuid null,
      version int not null default 1,
      updated_at timestamptz(3) null,
      method text null,
      path text null,
      request_id text null,
      field_hashes text null,
      primary key (user_id, key, part)
    ) partition by list (part)
  `,
  'create index idempotency_keys_created_at_index on idempotency_keys (created_at) where lease_until is null',
  'create index idempotency_keys_lease_until_index on idempotency_keys (lease_until) where lease_until is not null',
  'create index idempotency_keys_user_id_id_index on idempotency_keys (user_id, id) where id is not null',
  'create table idempotency_keys_1 partition of idempotency_keys for values in (1)',
  // By hand: the queue is short, but all events go through it. It is vacuumed often, so that the sequencer finds its begin at once.
  `
    create table event_queue (
      place bigint generated always as identity not null primary key,
      created_at timestamptz(3) not null,
      type text not null,
      subject_type text not null,
      subject_id uuid not null,
      subject_version int not null,
      order_id uuid null,
      user_id uuid null,
      changed text not null,
      cause text not null,
      data text not null
    ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)
  `,
  `
    create table events (
      sequence bigint not null,
      id uuid not null,
      created_at timestamptz(3) not null,
      type text not null,
      subject_type text not null,
      subject_id uuid not null,
      subject_version int not null,
      order_id uuid null,
      user_id uuid null,
      changed text not null,
      cause text not null,
      data text not null,
      primary key (sequence)
    )
  `,
  'create index events_type_sequence_index on events (type, sequence)',
  'create index events_order_id_sequence_index on events (order_id, sequence) where order_id is not null',
  'create index events_user_id_sequence_index on events (user_id, sequence) where user_id is not null',
  // By hand: room on the page for the next version of the row, which each batch of events updates.
  `
    create table event_feed (
      name text not null,
      id uuid not null,
      last_sequence bigint not null,
      last_time bigint not null,
      database_identity text null,
      primary key (name)
    ) with (fillfactor = 50)
  `,
  `
    create table provider_news (
      provider text not null,
      seen_until timestamptz(3) not null,
      primary key (provider)
    )
  `,
  `
    create table look_ups (
      provider text not null,
      kind text not null,
      reference text not null,
      created_at timestamptz(3) not null,
      due_at timestamptz(3) not null,
      looked_up_at timestamptz(3) null,
      attempts int not null,
      events int not null,
      primary key (provider, kind, reference)
    )
  `,
  'create index look_ups_due_at_index on look_ups (due_at)',
  `
    create table quotas (
      key uuid not null,
      ends_at bigint not null,
      used int not null,
      granted int not null,
      primary key (key)
    )
  `,
  'create index quotas_ends_at_index on quotas (ends_at)',
  `
    create table sandbox_ledger (
      id text not null,
      verdict text not null,
      primary key (id)
    )
  `,
  `
    create table duties (
      name text not null,
      holder text not null,
      until timestamptz(3) not null,
      primary key (name)
    )
  `,
  // By hand: words are compared by code point, as the other databases do everywhere.
  `
    create table product_words (
      word text collate "C" not null,
      product_id uuid not null,
      primary key (word, product_id)
    )
  `,
  'create index product_words_product_id_word_index on product_words (product_id, word)',
  `
    create table webhook_deliveries (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      endpoint_id uuid not null,
      event_id uuid not null,
      event_type text not null,
      sequence bigint not null,
      status text not null,
      caused_by text not null,
      attempt_count int not null,
      next_attempt_at timestamptz(3) null,
      attempts text not null,
      primary key (id)
    )
  `,
  'create index webhook_deliveries_endpoint_id_id_index on webhook_deliveries (endpoint_id, id)',
  'create index webhook_deliveries_event_id_id_index on webhook_deliveries (event_id, id)',
  'create index webhook_deliveries_status_id_index on webhook_deliveries (status, id)',
  'create index webhook_deliveries_endpoint_id_status_sequence_index on webhook_deliveries (endpoint_id, status, sequence)',
  'create index webhook_deliveries_endpoint_id_status_next_attempt_at_index on webhook_deliveries (endpoint_id, status, next_attempt_at)',
  `
    create table webhook_progress (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      position bigint not null,
      furthest bigint not null,
      failures int not null,
      failing_since timestamptz(3) null,
      primary key (id)
    )
  `,
  `
    create table webhook_endpoints (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      url text not null,
      event_types text not null,
      description text null,
      status text not null,
      disabled_reason text null,
      ordering text not null,
      payload text not null,
      secrets text not null,
      sealed_secrets text not null,
      primary key (id)
    )
  `,
  `
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
  `,
  'create index stock_changes_product_id_id_index on stock_changes (product_id, id)',
  `
    create table users (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      email text not null,
      name text not null,
      role text not null,
      status text not null default 'active',
      external_id text null,
      metadata text not null default '{}',
      primary key (id)
    )
  `,
  'create index users_role_id_index on users (role, id)',
  'create index users_created_at_id_index on users (created_at, id)',
  'alter table users add constraint users_email_unique unique (email)',
  'create unique index users_external_id_unique on users (external_id) where external_id is not null',
  `
    create table orders (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      user_id uuid not null,
      number text not null,
      status text not null,
      total_amount bigint not null,
      total_currency varchar(3) not null,
      item_count int not null,
      paying boolean not null,
      external_id text null,
      metadata text not null default '{}',
      shipping_address text null,
      billing_address text null,
      note text null,
      shipping_amount bigint not null default 0,
      discount_amount bigint not null default 0,
      shipping_tax_rate_thousandths int null,
      taxed_items text not null default '[]',
      unlocked_at timestamptz(3) null,
      paid_at timestamptz(3) null,
      primary key (id)
    )
  `,
  'create index orders_user_id_id_index on orders (user_id, id)',
  'create index orders_status_id_index on orders (status, id)',
  'create index orders_number_id_index on orders (number, id)',
  'create index orders_created_at_id_index on orders (created_at, id)',
  'create index orders_paid_at_id_index on orders (paid_at, id) where paid_at is not null',
  'create unique index orders_external_id_unique on orders (external_id) where external_id is not null',
  `
    create table order_items (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      order_id uuid not null,
      product_id uuid not null,
      product_name text not null,
      unit_price_amount bigint not null,
      total_amount bigint not null,
      currency varchar(3) not null,
      quantity_thousandths bigint not null,
      counted boolean not null,
      tax_rate_thousandths int null,
      primary key (id)
    )
  `,
  'create index order_items_order_id_id_index on order_items (order_id, id)',
  `
    create table reviews (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      item_id uuid not null,
      product_id uuid not null,
      user_id uuid not null,
      rating int not null,
      title text null,
      body text null,
      user_product text null,
      primary key (id)
    )
  `,
  'create index reviews_product_id_id_index on reviews (product_id, id)',
  'create index reviews_user_id_id_index on reviews (user_id, id)',
  'create index reviews_created_at_id_index on reviews (created_at, id)',
  'alter table reviews add constraint reviews_item_id_unique unique (item_id)',
  'alter table reviews add constraint reviews_user_product_unique unique (user_product)',
  `
    create table payments (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      order_id uuid not null,
      user_id uuid not null,
      amount bigint not null,
      refunded_amount bigint not null,
      refunding_amount bigint not null,
      currency varchar(3) not null,
      status text not null,
      provider text not null,
      provider_reference text null,
      failure_code text null,
      failure_message text null,
      metadata text not null default '{}',
      capture_method text not null default 'automatic',
      action_expires_at timestamptz(3) null,
      capture_before timestamptz(3) null,
      released_amount bigint not null default 0,
      disputed_amount bigint not null default 0,
      succeeded_at timestamptz(3) null,
      primary key (id)
    )
  `,
  'create index payments_order_id_id_index on payments (order_id, id)',
  'create index payments_user_id_id_index on payments (user_id, id)',
  'create index payments_status_id_index on payments (status, id)',
  'create index payments_created_at_id_index on payments (created_at, id)',
  "create unique index payments_order_id_unique on payments (order_id) where status <> 'failed' and status <> 'canceled'",
  `
    create table refunds (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      payment_id uuid not null,
      provider text not null,
      charge_reference text not null,
      user_id uuid not null,
      amount bigint not null,
      currency varchar(3) not null,
      reason text null,
      status text not null,
      provider_reference text null,
      failure_code text null,
      failure_message text null,
      metadata text not null default '{}',
      origin text not null default 'portico',
      succeeded_at timestamptz(3) null,
      primary key (id)
    )
  `,
  'create index refunds_payment_id_id_index on refunds (payment_id, id)',
  'create index refunds_user_id_id_index on refunds (user_id, id)',
  'create index refunds_created_at_id_index on refunds (created_at, id)',
  `
    create table captures (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      payment_id uuid not null,
      user_id uuid not null,
      provider text not null,
      charge_reference text not null,
      amount bigint not null,
      currency varchar(3) not null,
      status text not null,
      provider_reference text null,
      failure_code text null,
      failure_message text null,
      succeeded_at timestamptz(3) null,
      primary key (id)
    )
  `,
  'create index captures_payment_id_id_index on captures (payment_id, id)',
  'create index captures_user_id_id_index on captures (user_id, id)',
  `
    create table disputes (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      payment_id uuid not null,
      order_id uuid not null,
      amount bigint not null,
      currency varchar(3) not null,
      reason text not null,
      status text not null,
      evidence_due_at timestamptz(3) null,
      provider_reference text not null,
      closed_at timestamptz(3) null,
      primary key (id)
    )
  `,
  'create index disputes_payment_id_id_index on disputes (payment_id, id)',
  'create index disputes_order_id_id_index on disputes (order_id, id)',
  'create index disputes_status_id_index on disputes (status, id)',
  'create index disputes_created_at_id_index on disputes (created_at, id)',
  `
    create table api_keys (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      user_id uuid not null,
      name text not null,
      scopes text not null,
      secret_hash text not null,
      expires_at timestamptz(3) null,
      last_used_at timestamptz(3) null,
      created_by uuid null,
      publishable boolean not null default false,
      rate_limit int null,
      primary key (id)
    )
  `,
  'create index api_keys_user_id_id_index on api_keys (user_id, id)',
  'create index api_keys_created_by_id_index on api_keys (created_by, id)',
  `
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
  `,
  'create index identities_user_id_id_index on identities (user_id, id)',
  'alter table identities add constraint identities_key_unique unique (key)',
  `
    create table erasures (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      user_id uuid not null,
      status text not null,
      primary key (id)
    )
  `,
  'create index erasures_user_id_id_index on erasures (user_id, id)',
  'create index erasures_status_id_index on erasures (status, id)',
  `
    create table products (
      id uuid not null,
      version int not null,
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      name text not null,
      price_amount bigint not null,
      price_currency varchar(3) not null,
      description text null,
      sku text null,
      status text not null,
      stock_thousandths bigint null,
      quantity_step_thousandths bigint null,
      image_urls text not null default '[]',
      tags text not null default '[]',
      tax_rate_thousandths int null,
      metadata text not null default '{}',
      primary key (id)
    )
  `,
  'create index products_status_id_index on products (status, id)',
  'create index products_stock_thousandths_id_index on products (stock_thousandths, id) where stock_thousandths is not null',
  'alter table products add constraint products_sku_unique unique (sku)',
  'alter table orders add constraint orders_user_id_foreign foreign key (user_id) references users (id)',
  'alter table order_items add constraint order_items_order_id_foreign foreign key (order_id) references orders (id)',
  'alter table reviews add constraint reviews_item_id_foreign foreign key (item_id) references order_items (id)',
  'alter table payments add constraint payments_order_id_foreign foreign key (order_id) references orders (id)',
  'alter table refunds add constraint refunds_payment_id_foreign foreign key (payment_id) references payments (id)',
  'alter table captures add constraint captures_payment_id_foreign foreign key (payment_id) references payments (id)',
  'alter table disputes add constraint disputes_payment_id_foreign foreign key (payment_id) references payments (id)',
  'alter table api_keys add constraint api_keys_user_id_foreign foreign key (user_id) references users (id)',
  'alter table identities add constraint identities_user_id_foreign foreign key (user_id) references users (id)',
  'alter table erasures add constraint erasures_user_id_foreign foreign key (user_id) references users (id)',
  // By hand: the one row of the feed, whose id is its own in each database.
  `insert into event_feed (name, id, last_sequence, last_time) values ('events', '${randomUUID()}', 0, 0)`,
  // By hand, for reads of one's own writes on replicas: the LSN of each user, unlogged, so that it reaches no replica, and
  // updated with each write; and the timeline epoch that a replica must show. No entity describes an unlogged table.
  `
    create unlogged table user_positions (
      user_id uuid not null primary key,
      position pg_lsn not null,
      noted_at timestamptz not null default now(),
      lineage uuid null
    ) with (fillfactor = 50)
  `,
  'create table replica_lineage (lineage uuid not null)',
  requireFunction,
  "comment on function portico_require(boolean, text) is 'Raises the SQLSTATE code unless met is true. Portico calls it before it commits.'",
];

/**
 * By hand: the checks of a transaction that PostgreSQL has to make itself. A statement calls `portico_require(met, code)`; unless
 * the condition is true, it raises the SQLSTATE and the transaction is rolled back.
 *
 * - `ZP001`: a row that the transaction read has changed since. Portico runs the unit of work again.
 * - `ZP002`: the deadline of the request has passed before the commit.
 * - `ZP003`: an idempotency key exists already, in any partition. Portico runs the unit of work again, which finds it.
 *
 * The function is volatile, so that the planner neither evaluates it early nor leaves it out.
 * https://www.postgresql.org/docs/18/plpgsql-errors-and-messages.html
 */
const requireFunction = `
      create or replace function portico_require(met boolean, code text) returns void
      language plpgsql volatile as $$
      begin
        if met is not true then
          raise exception using
            errcode = code,
            message = 'Portico: ' || case code
              when 'ZP001' then 'the row has changed'
              when 'ZP002' then 'the deadline has passed'
              else 'a condition is not met'
            end;
        end if;
      end
      $$
    `;
