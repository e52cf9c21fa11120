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
import type { Dialect } from './dialect.ts';
import { idempotencyKeyStatements, SqlIdempotencyKeys } from './idempotency-keys.ts';
import { SqlRepository } from './repository.ts';
import type { SqlSession, Statement } from './session.ts';
import { compileStatements } from './statements.ts';

/** Opens the repositories over one session. */
export type OpenRepositories = (session: SqlSession) => Repositories;

/** Compiles the statements of every table once, so that opening the repositories over a session is cheap. */
export const compileRepositories = (dialect: Dialect): OpenRepositories => {
  const statements = {
    products: compileStatements(products, dialect),
    users: compileStatements(users, dialect),
    orders: compileStatements(orders, dialect),
    orderItems: compileStatements(orderItems, dialect),
    reviews: compileStatements(reviews, dialect),
    payments: compileStatements(payments, dialect),
    refunds: compileStatements(refunds, dialect),
    apiKeys: compileStatements(apiKeys, dialect),
    idempotencyKeys: idempotencyKeyStatements(dialect),
  };
  return (session) => ({
    products: new SqlRepository(session, products, statements.products),
    users: new SqlRepository(session, users, statements.users),
    orders: new SqlRepository(session, orders, statements.orders),
    orderItems: new SqlRepository(session, orderItems, statements.orderItems),
    reviews: new SqlRepository(session, reviews, statements.reviews),
    payments: new SqlRepository(session, payments, statements.payments),
    refunds: new SqlRepository(session, refunds, statements.refunds),
    apiKeys: new SqlRepository(session, apiKeys, statements.apiKeys),
    idempotencyKeys: new SqlIdempotencyKeys(
      session,
      statements.idempotencyKeys,
      dialect.purgeIdempotencyKeys,
    ),
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
