import type { Lease, Leases } from '#application/ports/leader-lease.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import { latestPlausibleExpiry } from '#application/ports/system.ts';
import type { Instant } from '#domain/instant.ts';
import { apiKeys } from '../schema/entities/api-key.ts';
import { LeaseEntity } from '../schema/entities/infrastructure.ts';
import { orderItems, orders } from '../schema/entities/order.ts';
import { payments } from '../schema/entities/payment.ts';
import { products } from '../schema/entities/product.ts';
import { refunds } from '../schema/entities/refund.ts';
import { reviews } from '../schema/entities/review.ts';
import { users } from '../schema/entities/user.ts';
import type { Builder } from './builder.ts';
import type { Dialect } from './dialect.ts';
import { compileIdempotencyKeys, SqlIdempotencyKeys } from './idempotency-keys.ts';
import { SqlRepository } from './repository.ts';
import type { SqlSession, TableSession } from './session.ts';
import type { Statement } from './sql-table.ts';
import { compileTable } from './statements.ts';

/** Opens the repositories over one session. */
export type OpenRepositories = (session: TableSession) => Repositories;

/** Compiles the statements of every table once, so that opening the repositories over a session is cheap. */
export const compileRepositories = (builder: Builder, dialect: Dialect): OpenRepositories => {
  const tables = {
    products: compileTable(builder, products, dialect),
    users: compileTable(builder, users, dialect),
    orders: compileTable(builder, orders, dialect),
    orderItems: compileTable(builder, orderItems, dialect),
    reviews: compileTable(builder, reviews, dialect),
    payments: compileTable(builder, payments, dialect),
    refunds: compileTable(builder, refunds, dialect),
    apiKeys: compileTable(builder, apiKeys, dialect),
    idempotencyKeys: compileIdempotencyKeys(builder, dialect),
  };
  return (session) => ({
    products: new SqlRepository(session, products, tables.products),
    users: new SqlRepository(session, users, tables.users),
    orders: new SqlRepository(session, orders, tables.orders),
    orderItems: new SqlRepository(session, orderItems, tables.orderItems),
    reviews: new SqlRepository(session, reviews, tables.reviews),
    payments: new SqlRepository(session, payments, tables.payments),
    refunds: new SqlRepository(session, refunds, tables.refunds),
    apiKeys: new SqlRepository(session, apiKeys, tables.apiKeys),
    idempotencyKeys: new SqlIdempotencyKeys(session, tables.idempotencyKeys, dialect.purgeIdempotencyKeys),
    leases: new SqlLeases(session),
  });
};

const { tableName: leases } = LeaseEntity;

/** An upsert: one statement checks that the lease is free and takes it, so of several processes only one succeeds. */
const acquire: Statement = {
  name: `${leases}_take`,
  text:
    `insert into ${leases} (name, holder, until) values ($1, $2, $3) ` +
    'on conflict (name) do update set holder = excluded.holder, until = excluded.until ' +
    `where ${leases}.until <= $4 or ${leases}.until > $5 or ${leases}.holder = excluded.holder`,
};

/** Leader leases, in the table `duties`. */
class SqlLeases implements Leases {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  async acquire({ name, holder, expiresAt }: Lease, now: Instant): Promise<boolean> {
    const values = [name, holder, expiresAt, now, latestPlausibleExpiry(expiresAt)];
    return (await this.#session.execute(acquire, values)) > 0;
  }
}
