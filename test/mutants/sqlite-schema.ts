import { faultsOf, type Mutant } from './mutant.ts';

/** Faults of the rows and of the schema, shown by SQLite. */
export const sqliteSchemaMutants: readonly Mutant[] = [
  ...faultsOf('sqlite', 'schema/entities/product.ts', [
    [
      'a stock of 0 that becomes none',
      'stock: row.stock_thousandths,',
      'stock: row.stock_thousandths || null,',
      'return what was stored, each value in its own field',
    ],
  ]),
  ...faultsOf('sqlite', 'schema/entities/review.ts', [
    [
      'a filter of another field',
      "productId: 'product_id', userId: 'user_id'",
      "productId: 'product_id', userId: 'product_id'",
      'reviews by userId',
    ],
  ]),
  ...faultsOf('sqlite', 'schema/entities/payment.ts', [
    [
      'an amount of another column',
      'refunded: money(row.refunded_amount',
      'refunded: money(row.refunding_amount',
      'return what was stored, each value in its own field',
    ],
  ]),
  ...faultsOf('sqlite', 'schema/entities/api-key.ts', [
    [
      'scopes that run together',
      "key.scopes.join(' ')",
      "key.scopes.join('')",
      'return what was stored, with every optional field empty',
    ],
  ]),
  ...faultsOf('sqlite', 'schema/entities/idempotency-key.ts', [
    [
      'a fencing token that never ascends',
      'fencingToken: fence',
      'fencingToken: 1',
      'are locked by one unit of work at a time: twenty increment a fencing token',
    ],
  ]),
  ...faultsOf('sqlite', 'schema/entities/columns.ts', [
    [
      'a failure without its message',
      'failure_message: failure?.message',
      'failure_message: failure?.code',
      'return what was stored, each value in its own field',
    ],
  ]),
  ...faultsOf('sqlite', 'schema/migrations/0001-baseline/sqlite.ts', [
    [
      'two live payments of an order',
      'create unique index payments_order',
      'create index payments_order',
      'let an order have one live payment, and any number that have failed',
    ],
    [
      'a failed payment that bars another',
      " where status <> 'failed' and",
      ' where',
      'let an order have one live payment, and any number that have failed',
    ],
    [
      'a canceled payment that bars another',
      " and status <> 'canceled'",
      '',
      'let an order have one live payment, and any number that have failed',
    ],
    [
      'an unchecked second review of a product',
      'create unique index reviews_user_product',
      'create index reviews_user_product',
      'let a user have one review of a product, also of two at once, and another once it is removed',
    ],
    [
      'SKUs compared without case',
      'sku text null',
      'sku text null collate nocase',
      'of products.sku are compared code point by code point',
    ],
    [
      'addresses compared without case',
      'email text not null',
      'email text not null collate nocase',
      'of users.email are compared code point by code point',
    ],
    [
      'keys compared without case',
      '      key text not null,\n      role',
      '      key text not null collate nocase,\n      role',
      'of idempotency keys are compared code point by code point',
    ],
    [
      'an unchecked sku',
      'create unique index products_sku',
      'create index products_sku',
      'let no two products have the same sku, added or changed, alone or in bulk',
    ],
    [
      'an unchecked second review',
      'create unique index reviews_item',
      'create index reviews_item',
      'let no two reviews have the same itemId, added or changed, alone or in bulk',
    ],
    [
      'a payment of no order',
      'payments_order_id_foreign foreign key (order_id) references orders (id)',
      'payments_order_id_foreign check (true)',
      'let nothing refer by payments.orderId to what does not exist',
    ],
    [
      'an order of a removed user',
      'orders_user_id_foreign foreign key (user_id) references users (id)',
      'orders_user_id_foreign foreign key (user_id) references users (id) on delete cascade',
      'let nothing be removed that orders refer to by userId',
    ],
  ]),
];
