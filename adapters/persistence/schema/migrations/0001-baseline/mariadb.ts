import { randomUUID } from 'node:crypto';

/**
 * By hand: the engine that has transactions, rows of any length, and a collation by which texts are compared code point by code point,
 * trailing spaces included. `npm run migration` gives them to later tables.
 */
const options = 'engine = InnoDB row_format = dynamic character set utf8mb4 collate utf8mb4_nopad_bin';

/**
 * Generated from the entities. What the generator cannot express was added by hand, with a comment. MariaDB commits each table at once,
 * so one that exists is kept when the migration runs again.
 */
export const mariadbBaseline = (): readonly string[] => [
  `
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
      id varchar(36) null,
      version int not null default 1,
      updated_at datetime(3) null,
      method varchar(32) null,
      path text null,
      request_id text null,
      field_hashes text null,
      primary key (user_id, \`key\`),
      index idempotency_keys_created_at_index (created_at),
      index idempotency_keys_lease_until_index (lease_until),
      index idempotency_keys_user_id_id_index (user_id, id)
    ) ${options}
  `,
  `
    create table if not exists event_queue (
      place bigint not null auto_increment primary key,
      created_at datetime(3) not null,
      type varchar(64) not null,
      subject_type varchar(64) not null,
      subject_id varchar(36) not null,
      subject_version int not null,
      order_id varchar(36) null,
      user_id varchar(36) null,
      changed text not null,
      cause text not null,
      data longtext not null
    ) ${options}
  `,
  `
    create table if not exists events (
      sequence bigint not null,
      id varchar(36) not null,
      created_at datetime(3) not null,
      type varchar(64) not null,
      subject_type varchar(64) not null,
      subject_id varchar(36) not null,
      subject_version int not null,
      order_id varchar(36) null,
      user_id varchar(36) null,
      changed text not null,
      cause text not null,
      data longtext not null,
      primary key (sequence),
      index events_type_sequence_index (type, sequence),
      index events_order_id_sequence_index (order_id, sequence),
      index events_user_id_sequence_index (user_id, sequence)
    ) ${options}
  `,
  `
    create table if not exists event_feed (
      name varchar(64) not null,
      id varchar(36) not null,
      last_sequence bigint not null,
      last_time bigint not null,
      database_identity text null,
      primary key (name)
    ) ${options}
  `,
  `
    create table if not exists provider_news (
      provider varchar(320) not null,
      seen_until datetime(3) not null,
      primary key (provider)
    ) ${options}
  `,
  `
    create table if not exists look_ups (
      provider varchar(320) not null,
      kind varchar(32) not null,
      reference varchar(320) not null,
      created_at datetime(3) not null,
      due_at datetime(3) not null,
      looked_up_at datetime(3) null,
      attempts int not null,
      events int not null,
      primary key (provider, kind, reference),
      index look_ups_due_at_index (due_at)
    ) ${options}
  `,
  `
    create table if not exists quotas (
      \`key\` varchar(36) not null,
      ends_at bigint not null,
      used int not null,
      granted int not null,
      primary key (\`key\`),
      index quotas_ends_at_index (ends_at)
    ) ${options}
  `,
  `
    create table if not exists sandbox_ledger (
      id varchar(700) not null,
      verdict text not null,
      primary key (id)
    ) ${options}
  `,
  `
    create table if not exists duties (
      name varchar(320) not null,
      holder text not null,
      until datetime(3) not null,
      primary key (name)
    ) ${options}
  `,
  `
    create table if not exists product_words (
      word varchar(64) not null,
      product_id varchar(36) not null,
      primary key (word, product_id),
      index product_words_product_id_word_index (product_id, word)
    ) ${options}
  `,
  `
    create table if not exists webhook_deliveries (
      id varchar(36) not null,
      version int not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      endpoint_id varchar(36) not null,
      event_id varchar(36) not null,
      event_type varchar(64) not null,
      sequence bigint not null,
      status varchar(32) not null,
      caused_by varchar(32) not null,
      attempt_count int not null,
      next_attempt_at datetime(3) null,
      attempts text not null,
      primary key (id),
      index webhook_deliveries_endpoint_id_id_index (endpoint_id, id),
      index webhook_deliveries_event_id_id_index (event_id, id),
      index webhook_deliveries_status_id_index (status, id),
      index webhook_deliveries_endpoint_id_status_sequence_index (endpoint_id, status, sequence),
      index webhook_deliveries_endpoint_id_status_next_attempt_at_index (endpoint_id, status, next_attempt_at)
    ) ${options}
  `,
  `
    create table if not exists webhook_progress (
      id varchar(36) not null,
      version int not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      position bigint not null,
      furthest bigint not null,
      failures int not null,
      failing_since datetime(3) null,
      primary key (id)
    ) ${options}
  `,
  `
    create table if not exists webhook_endpoints (
      id varchar(36) not null,
      version int not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      url text not null,
      event_types text not null,
      description text null,
      status varchar(32) not null,
      disabled_reason varchar(32) null,
      ordering varchar(32) not null,
      payload varchar(32) not null,
      secrets text not null,
      sealed_secrets text not null,
      primary key (id)
    ) ${options}
  `,
  `
    create table if not exists stock_changes (
      id varchar(36) not null,
      version int not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      product_id varchar(36) not null,
      change_thousandths bigint not null,
      reason text null,
      stock_after_thousandths bigint not null,
      primary key (id),
      index stock_changes_product_id_id_index (product_id, id)
    ) ${options}
  `,
  `
    create table if not exists users (
      id varchar(36) not null,
      version int not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      email varchar(320) not null,
      name text not null,
      role varchar(32) not null,
      status varchar(32) not null default 'active',
      external_id varchar(320) null,
      metadata text not null default ('{}'),
      primary key (id),
      index users_role_id_index (role, id),
      index users_created_at_id_index (created_at, id),
      unique index users_email_unique (email),
      unique index users_external_id_unique (external_id)
    ) ${options}
  `,
  `
    create table if not exists orders (
      id varchar(36) not null,
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
      external_id varchar(320) null,
      metadata text not null default ('{}'),
      shipping_address text null,
      billing_address text null,
      note text null,
      shipping_amount bigint not null default 0,
      discount_amount bigint not null default 0,
      shipping_tax_rate_thousandths int null,
      taxed_items mediumtext not null default '[]',
      unlocked_at datetime(3) null,
      paid_at datetime(3) null,
      primary key (id),
      index orders_user_id_id_index (user_id, id),
      index orders_status_id_index (status, id),
      index orders_number_id_index (number, id),
      index orders_created_at_id_index (created_at, id),
      index orders_paid_at_id_index (paid_at, id),
      unique index orders_external_id_unique (external_id),
      constraint orders_user_id_foreign foreign key (user_id) references users (id)
    ) ${options}
  `,
  `
    create table if not exists order_items (
      id varchar(36) not null,
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
      tax_rate_thousandths int null,
      primary key (id),
      index order_items_order_id_id_index (order_id, id),
      constraint order_items_order_id_foreign foreign key (order_id) references orders (id)
    ) ${options}
  `,
  `
    create table if not exists reviews (
      id varchar(36) not null,
      version int not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      item_id varchar(36) not null,
      product_id varchar(36) not null,
      user_id varchar(36) not null,
      rating int not null,
      title text null,
      body text null,
      user_product varchar(73) null,
      primary key (id),
      index reviews_product_id_id_index (product_id, id),
      index reviews_user_id_id_index (user_id, id),
      index reviews_created_at_id_index (created_at, id),
      unique index reviews_item_id_unique (item_id),
      unique index reviews_user_product_unique (user_product),
      constraint reviews_item_id_foreign foreign key (item_id) references order_items (id)
    ) ${options}
  `,
  // By hand: no index is partial, so a generated column has the order of a payment that bars another. The other one, which no
  // index has any more, stays for databases of before to be the same.
  `
    create table if not exists payments (
      id varchar(36) not null,
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
      metadata text not null default ('{}'),
      capture_method varchar(32) not null default 'automatic',
      action_expires_at datetime(3) null,
      capture_before datetime(3) null,
      released_amount bigint not null default 0,
      disputed_amount bigint not null default 0,
      succeeded_at datetime(3) null,
      live_order_id varchar(36) as (case when status <> 'failed' then order_id end) virtual,
      unended_order_id varchar(36)
        as (case when status <> 'failed' and status <> 'canceled' then order_id end) virtual,
      primary key (id),
      unique index payments_order_id_unique (unended_order_id),
      index payments_order_id_id_index (order_id, id),
      index payments_user_id_id_index (user_id, id),
      index payments_status_id_index (status, id),
      index payments_created_at_id_index (created_at, id),
      constraint payments_order_id_foreign foreign key (order_id) references orders (id)
    ) ${options}
  `,
  `
    create table if not exists refunds (
      id varchar(36) not null,
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
      metadata text not null default ('{}'),
      origin varchar(32) not null default 'portico',
      succeeded_at datetime(3) null,
      primary key (id),
      index refunds_payment_id_id_index (payment_id, id),
      index refunds_user_id_id_index (user_id, id),
      index refunds_created_at_id_index (created_at, id),
      constraint refunds_payment_id_foreign foreign key (payment_id) references payments (id)
    ) ${options}
  `,
  `
    create table if not exists captures (
      id varchar(36) not null,
      version int not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      payment_id varchar(36) not null,
      user_id varchar(36) not null,
      provider text not null,
      charge_reference text not null,
      amount bigint not null,
      currency varchar(3) not null,
      status varchar(32) not null,
      provider_reference text null,
      failure_code text null,
      failure_message text null,
      succeeded_at datetime(3) null,
      primary key (id),
      index captures_payment_id_id_index (payment_id, id),
      index captures_user_id_id_index (user_id, id),
      constraint captures_payment_id_foreign foreign key (payment_id) references payments (id)
    ) ${options}
  `,
  `
    create table if not exists disputes (
      id varchar(36) not null,
      version int not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      payment_id varchar(36) not null,
      order_id varchar(36) not null,
      amount bigint not null,
      currency varchar(3) not null,
      reason text not null,
      status varchar(32) not null,
      evidence_due_at datetime(3) null,
      provider_reference text not null,
      closed_at datetime(3) null,
      primary key (id),
      index disputes_payment_id_id_index (payment_id, id),
      index disputes_order_id_id_index (order_id, id),
      index disputes_status_id_index (status, id),
      index disputes_created_at_id_index (created_at, id),
      constraint disputes_payment_id_foreign foreign key (payment_id) references payments (id)
    ) ${options}
  `,
  `
    create table if not exists api_keys (
      id varchar(36) not null,
      version int not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      user_id varchar(36) not null,
      name text not null,
      scopes text not null,
      secret_hash text not null,
      expires_at datetime(3) null,
      last_used_at datetime(3) null,
      created_by varchar(36) null,
      publishable tinyint not null default 0,
      rate_limit int null,
      primary key (id),
      index api_keys_user_id_id_index (user_id, id),
      index api_keys_created_by_id_index (created_by, id),
      constraint api_keys_user_id_foreign foreign key (user_id) references users (id)
    ) ${options}
  `,
  `
    create table if not exists identities (
      id varchar(36) not null,
      version int not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      user_id varchar(36) not null,
      issuer text not null,
      subject text not null,
      \`key\` varchar(320) not null,
      primary key (id),
      index identities_user_id_id_index (user_id, id),
      unique index identities_key_unique (\`key\`),
      constraint identities_user_id_foreign foreign key (user_id) references users (id)
    ) ${options}
  `,
  `
    create table if not exists erasures (
      id varchar(36) not null,
      version int not null,
      created_at datetime(3) not null,
      updated_at datetime(3) not null,
      user_id varchar(36) not null,
      status varchar(32) not null,
      primary key (id),
      index erasures_user_id_id_index (user_id, id),
      index erasures_status_id_index (status, id),
      constraint erasures_user_id_foreign foreign key (user_id) references users (id)
    ) ${options}
  `,
  `
    create table if not exists products (
      id varchar(36) not null,
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
      quantity_step_thousandths bigint null,
      image_urls mediumtext not null default '[]',
      tags text not null default ('[]'),
      tax_rate_thousandths int null,
      metadata text not null default ('{}'),
      primary key (id),
      index products_status_id_index (status, id),
      index products_stock_thousandths_id_index (stock_thousandths, id),
      unique index products_sku_unique (sku)
    ) ${options}
  `,
  // By hand: the one row of the feed, whose id is its own in each database.
  `insert ignore into event_feed (name, id, last_sequence, last_time) values ('events', '${randomUUID()}', 0, 0)`,
];
