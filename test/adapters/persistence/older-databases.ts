import BetterSqlite3 from 'better-sqlite3';
import { openPostgres } from '#adapters/persistence/postgres/open.ts';
import { postgresOrm } from '#adapters/persistence/postgres/orm.ts';
import { type Migrations, migrate } from '#adapters/persistence/schema/migrate.ts';
import { postgresMigrations } from '#adapters/persistence/schema/migrations/postgres/all.ts';
import { sqliteMigrations } from '#adapters/persistence/schema/migrations/sqlite/all.ts';
import { sqliteOrm } from '#adapters/persistence/sqlite/connect.ts';
import { openSqlite } from '#adapters/persistence/sqlite/open.ts';
import type { Store } from '#adapters/persistence/store.ts';
import type { Database } from '../../support/postgres.ts';

const id = (digit: string): string => `01900000-0000-7000-8000-${digit.repeat(12)}`;
const [ada, order, failed, paid, one, other] = [...'123456'].map(id);
const [at, later] = ['2026-03-01T12:00:00.123Z', '2026-03-01T12:00:01.000Z'];

/** An order that was paid at the second try, and given back in two parts, as the first schema has it. */
const kept = [
  `insert into users (id, version, created_at, updated_at, email, name, role)
    values ('${ada}', 1, '${at}', '${at}', 'ada@example.com', 'Ada', 'customer')`,
  `insert into orders
    (id, version, created_at, updated_at, user_id, number, status, total_amount, total_currency, item_count, paying)
    values ('${order}', 3, '${at}', '${later}', '${ada}', 'O-1', 'paid', 450, 'EUR', 1, '0')`,
  `insert into payments
    (id, version, created_at, updated_at, order_id, user_id, amount, refunded_amount, refunding_amount, currency,
      status, provider, provider_reference)
    values
    ('${failed}', 2, '${at}', '${at}', '${order}', '${ada}', 450, 0, 0, 'EUR', 'failed', 'sandbox', null),
    ('${paid}', 4, '${at}', '${later}', '${order}', '${ada}', 450, 100, 50, 'EUR', 'partially_refunded',
      'stripe', 'ch_1')`,
  `insert into refunds
    (id, version, created_at, updated_at, payment_id, charge_reference, user_id, amount, currency, reason, status,
      provider_reference)
    values
    ('${one}', 2, '${at}', '${later}', '${paid}', 'ch_1', '${ada}', 100, 'EUR', 'Late', 'succeeded', 're_1'),
    ('${other}', 1, '${later}', '${later}', '${paid}', 'ch_1', '${ada}', 50, 'EUR', null, 'pending', null)`,
];

/** The refunds as they are read once the database has been brought up to date. */
export const refundsOfThese = [
  {
    ...{ id: one, version: 2, createdAt: at, updatedAt: later, paymentId: paid, userId: ada },
    ...{ provider: 'stripe', chargeReference: 'ch_1', amount: { amount: 100, currency: 'EUR' } },
    ...{ reason: 'Late', status: 'succeeded', providerReference: 're_1', failure: null, metadata: {} },
    ...{ origin: 'portico', succeededAt: null },
  },
  {
    ...{ id: other, version: 1, createdAt: later, updatedAt: later, paymentId: paid, userId: ada },
    ...{ provider: 'stripe', chargeReference: 'ch_1', amount: { amount: 50, currency: 'EUR' } },
    ...{ reason: null, status: 'pending', providerReference: null, failure: null, metadata: {} },
    ...{ origin: 'portico', succeededAt: null },
  },
];

/** A database as the first migration left it, with something in it. */
export interface OlderDatabase {
  /** The file, or the URL. */
  readonly place: string;
  readonly open: () => Promise<Store>;
  readonly steps: Migrations;
  /** Its rows of migrations. */
  readonly applied: () => Promise<unknown>;
}

const migrations = 'select name from mikro_orm_migrations';

export const olderFile = async (file: string): Promise<OlderDatabase> => {
  const orm = sqliteOrm(file, 1000);
  await migrate(orm, sqliteMigrations.slice(0, 1));
  await orm.close();
  const writer = new BetterSqlite3(file);
  for (const statement of kept) writer.exec(statement);
  writer.close();
  const applied = async () => {
    const reader = new BetterSqlite3(file, { readonly: true });
    const rows = reader.prepare(migrations).all();
    reader.close();
    return rows;
  };
  return { place: file, open: () => openSqlite({ file }), steps: sqliteMigrations, applied };
};

/** @param database an empty one */
export const olderDatabase = async ({ url, query }: Database): Promise<OlderDatabase> => {
  const orm = postgresOrm(url, 1);
  await migrate(orm, postgresMigrations.slice(0, 1));
  await orm.close();
  for (const statement of kept) await query(statement);
  const applied = () => query(migrations);
  return { place: url, open: () => openPostgres({ url }), steps: postgresMigrations, applied };
};
