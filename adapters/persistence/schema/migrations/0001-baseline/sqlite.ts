import { randomUUID } from 'node:crypto';

/** Generated from the entities. What the generator cannot express was added by hand, with a comment. */
export const sqliteBaseline = (): readonly string[] => [
  `
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
      id text null,
      version integer not null default 1,
      updated_at text null,
      method text null,
      path text null,
      request_id text null,
      field_hashes text null,
      primary key (user_id, key)
    )
  `,
  'create index idempotency_keys_created_at_index on idempotency_keys (created_at)',
  'create index idempotency_keys_lease_until_index on idempotency_keys (lease_until) where lease_until is not null',
  'create index idempotency_keys_user_id_id_index on idempotency_keys (user_id, id) where id is not null',
  `
    create table events (
      sequence integer not null primary key autoincrement,
      id text not null,
      created_at text not null,
      type text not null,
      subject_type text not null,
      subject_id text not null,
      subject_version integer not null,
      order_id text null,
      user_id text null,
      changed text not null,
      cause text not null,
      data text not null
    )
  `,
  'create index events_type_sequence_index on events (type, sequence)',
  'create index events_order_id_sequence_index on events (order_id, sequence) where order_id is not null',
  'create index events_user_id_sequence_index on events (user_id, sequence) where user_id is not null',
  `
    create table event_feed (
      name text not null primary key,
      id text not null,
      last_sequence bigint not null,
      last_time bigint not null,
      database_identity text null
    )
  `,
  `
    create table provider_news (
      provider text not null primary key,
      seen_until text not null
    )
  `,
  `
    create table look_ups (
      provider text not null,
      kind text not null,
      reference text not null,
      created_at text not null,
      due_at text not null,
      looked_up_at text null,
      attempts integer not null,
      events integer not null,
      primary key (provider, kind, reference)
    )
  `,
  'create index look_ups_due_at_index on look_ups (due_at)',
  `
    create table quotas (
      key text not null primary key,
      ends_at bigint not null,
      used integer not null,
      granted integer not null
    )
  `,
  'create index quotas_ends_at_index on quotas (ends_at)',
  `
    create table sandbox_ledger (
      id text not null primary key,
      verdict text not null
    )
  `,
  `
    create table duties (
      name text not null primary key,
      holder text not null,
      until text not null
    )
  `,
  // By hand: without rowid, so that the key holds all there is, and no second b-tree the same again.
  `
    create table product_words (
      word text not null,
      product_id text not null,
      primary key (word, product_id)
    ) without rowid
  `,
  'create index product_words_product_id_word_index on product_words (product_id, word)',
  `
    create table webhook_deliveries (
      id text not null primary key,
      version integer not null,
      created_at text not null,
      updated_at text not null,
      endpoint_id text not null,
      event_id text not null,
      event_type text not null,
      sequence bigint not null,
      status text not null,
      caused_by text not null,
      attempt_count integer not null,
      next_attempt_at text null,
      attempts text not null
    )
  `,
  'create index webhook_deliveries_endpoint_id_id_index on webhook_deliveries (endpoint_id, id)',
  'create index webhook_deliveries_event_id_id_index on webhook_deliveries (event_id, id)',
  'create index webhook_deliveries_status_id_index on webhook_deliveries (status, id)',
  'create index webhook_deliveries_endpoint_id_status_sequence_index on webhook_deliveries (endpoint_id, status, sequence)',
  'create index webhook_deliveries_endpoint_id_status_next_attempt_at_index on webhook_deliveries (endpoint_id, status, next_attempt_at)',
  `
    create table webhook_progress (
      id text not null primary key,
      version integer not null,
      created_at text not null,
      updated_at text not null,
      position bigint not null,
      furthest bigint not null,
      failures integer not null,
      failing_since text null
    )
  `,
  `
    create table webhook_endpoints (
      id text not null primary key,
      version integer not null,
      created_at text not null,
      updated_at text not null,
      url text not null,
      event_types text not null,
      description text null,
      status text not null,
      disabled_reason text null,
      ordering text not null,
      payload text not null,
      secrets text not null,
      sealed_secrets text not null
    )
  `,
  `
    create table stock_changes (
      id text not null primary key,
      version integer not null,
      created_at text not null,
      updated_at text not null,
      product_id text not null,
      change_thousandths bigint not null,
      reason text null,
      stock_after_thousandths bigint not null
    )
  `,
  'create index stock_changes_product_id_id_index on stock_changes (product_id, id)',
  `
    create table users (
      id text not null primary key,
      version integer not null,
      created_at text not null,
      updated_at text not null,
      email text not null,
      name text not null,
      role text not null,
      status text not null default 'active',
      external_id text null,
      metadata text not null default '{}'
    )
  `,
  'create index users_role_id_index on users (role, id)',
  'create index users_created_at_id_index on users (created_at, id)',
  'create unique index users_email_unique on users (email)',
  'create unique index users_external_id_unique on users (external_id) where external_id is not null',
  `
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
      external_id text null,
      metadata text not null default '{}',
      shipping_address text null,
      billing_address text null,
      note text null,
      shipping_amount bigint not null default 0,
      discount_amount bigint not null default 0,
      shipping_tax_rate_thousandths integer null,
      taxed_items text not null default '[]',
      unlocked_at text null,
      paid_at text null,
      constraint orders_user_id_foreign foreign key (user_id) references users (id)
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
      tax_rate_thousandths integer null,
      constraint order_items_order_id_foreign foreign key (order_id) references orders (id)
    )
  `,
  'create index order_items_order_id_id_index on order_items (order_id, id)',
  `
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
      user_product text null,
      constraint reviews_item_id_foreign foreign key (item_id) references order_items (id)
    )
  `,
  'create index reviews_product_id_id_index on reviews (product_id, id)',
  'create index reviews_user_id_id_index on reviews (user_id, id)',
  'create index reviews_created_at_id_index on reviews (created_at, id)',
  'create unique index reviews_item_id_unique on reviews (item_id)',
  'create unique index reviews_user_product_unique on reviews (user_product)',
  `
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
      metadata text not null default '{}',
      capture_method text not null default 'automatic',
      action_expires_at text null,
      capture_before text null,
      released_amount bigint not null default 0,
      disputed_amount bigint not null default 0,
      succeeded_at text null,
      constraint payments_order_id_foreign foreign key (order_id) references orders (id)
    )
  `,
  'create index payments_order_id_id_index on payments (order_id, id)',
  'create index payments_user_id_id_index on payments (user_id, id)',
  'create index payments_status_id_index on payments (status, id)',
  'create index payments_created_at_id_index on payments (created_at, id)',
  "create unique index payments_order_id_unique on payments (order_id) where status <> 'failed' and status <> 'canceled'",
  `
    create table refunds (
      id text not null primary key,
      version integer not null,
      created_at text not null,
      updated_at text not null,
      payment_id text not null,
      provider text not null,
      charge_reference text not null,
      user_id text not null,
      amount bigint not null,
      currency text not null,
      reason text null,
      status text not null,
      provider_reference text null,
      failure_code text null,
      failure_message text null,
      metadata text not null default '{}',
      origin text not null default 'portico',
      succeeded_at text null,
      constraint refunds_payment_id_foreign foreign key (payment_id) references payments (id)
    )
  `,
  'create index refunds_payment_id_id_index on refunds (payment_id, id)',
  'create index refunds_user_id_id_index on refunds (user_id, id)',
  'create index refunds_created_at_id_index on refunds (created_at, id)',
  `
    create table captures (
      id text not null primary key,
      version integer not null,
      created_at text not null,
      updated_at text not null,
      payment_id text not null,
      user_id text not null,
      provider text not null,
      charge_reference text not null,
      amount bigint not null,
      currency text not null,
      status text not null,
      provider_reference text null,
      failure_code text null,
      failure_message text null,
      succeeded_at text null,
      constraint captures_payment_id_foreign foreign key (payment_id) references payments (id)
    )
  `,
  'create index captures_payment_id_id_index on captures (payment_id, id)',
  'create index captures_user_id_id_index on captures (user_id, id)',
  `
    create table disputes (
      id text not null primary key,
      version integer not null,
      created_at text not null,
      updated_at text not null,
      payment_id text not null,
      order_id text not null,
      amount bigint not null,
      currency text not null,
      reason text not null,
      status text not null,
      evidence_due_at text null,
      provider_reference text not null,
      closed_at text null,
      constraint disputes_payment_id_foreign foreign key (payment_id) references payments (id)
    )
  `,
  'create index disputes_payment_id_id_index on disputes (payment_id, id)',
  'create index disputes_order_id_id_index on disputes (order_id, id)',
  'create index disputes_status_id_index on disputes (status, id)',
  'create index disputes_created_at_id_index on disputes (created_at, id)',
  `
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
      created_by text null,
      publishable integer not null default 0,
      rate_limit integer null,
      constraint api_keys_user_id_foreign foreign key (user_id) references users (id)
    )
  `,
  'create index api_keys_user_id_id_index on api_keys (user_id, id)',
  'create index api_keys_created_by_id_index on api_keys (created_by, id)',
  `
    create table identities (
      id text not null primary key,
      version integer not null,
      created_at text not null,
      updated_at text not null,
      user_id text not null,
      issuer text not null,
      subject text not null,
      key text not null,
      constraint identities_user_id_foreign foreign key (user_id) references users (id)
    )
  `,
  'create index identities_user_id_id_index on identities (user_id, id)',
  'create unique index identities_key_unique on identities (key)',
  `
    create table erasures (
      id text not null primary key,
      version integer not null,
      created_at text not null,
      updated_at text not null,
      user_id text not null,
      status text not null,
      constraint erasures_user_id_foreign foreign key (user_id) references users (id)
    )
  `,
  'create index erasures_user_id_id_index on erasures (user_id, id)',
  'create index erasures_status_id_index on erasures (status, id)',
  `
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
      stock_thousandths bigint null,
      quantity_step_thousandths bigint null,
      image_urls text not null default '[]',
      tags text not null default '[]',
      tax_rate_thousandths integer null,
      metadata text not null default '{}'
    )
  `,
  'create index products_status_id_index on products (status, id)',
  'create index products_stock_thousandths_id_index on products (stock_thousandths, id) where stock_thousandths is not null',
  'create unique index products_sku_unique on products (sku)',
  // By hand: the one row of the feed, whose id is its own in each database.
  `insert into event_feed (name, id, last_sequence, last_time) values ('events', '${randomUUID()}', 0, 0)`,
];
