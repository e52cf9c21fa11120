import type { Lease, Leases, Repositories } from '#application/ports/repositories.ts';
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
import { type Builder, compile, parameter } from './builder.ts';
import type { Dialect } from './dialect.ts';
import { compileIdempotencyKeys, SqlIdempotencyKeys } from './idempotency-keys.ts';
import { SqlRepository } from './repository.ts';
import type { SqlSession, TableSession } from './session.ts';
import type { CompiledStatement } from './sql-table.ts';
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
  const purgeIdempotencyKeys = dialect.purgeIdempotencyKeys(builder);
  const acquireLease = compileAcquireLease(builder);
  return (session) => ({
    products: new SqlRepository(session, products, tables.products),
    users: new SqlRepository(session, users, tables.users),
    orders: new SqlRepository(session, orders, tables.orders),
    orderItems: new SqlRepository(session, orderItems, tables.orderItems),
    reviews: new SqlRepository(session, reviews, tables.reviews),
    payments: new SqlRepository(session, payments, tables.payments),
    refunds: new SqlRepository(session, refunds, tables.refunds),
    apiKeys: new SqlRepository(session, apiKeys, tables.apiKeys),
    idempotencyKeys: new SqlIdempotencyKeys(session, tables.idempotencyKeys, purgeIdempotencyKeys),
    leases: new SqlLeases(session, acquireLease),
  });
};

const { tableName: leases } = LeaseEntity;

/** An upsert: one statement checks that the lease is free and takes it, so of several processes only one succeeds. */
const compileAcquireLease = (builder: Builder): CompiledStatement =>
  compile(
    `${leases}_acquire`,
    builder
      .insertInto(leases)
      .values({ name: parameter('name'), holder: parameter('holder'), until: parameter('until') })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet(({ ref }) => ({ holder: ref('excluded.holder'), until: ref('excluded.until') }))
          .where((is) =>
            is.or([
              is(`${leases}.until`, '<=', parameter('now')),
              is(`${leases}.until`, '>', parameter('latest_plausible')),
              is(`${leases}.holder`, '=', is.ref('excluded.holder')),
            ]),
          ),
      ),
  );

/** Leader leases, in the table `duties`. */
class SqlLeases implements Leases {
  readonly #session: SqlSession;
  readonly #acquire: CompiledStatement;

  constructor(session: SqlSession, acquire: CompiledStatement) {
    this.#session = session;
    this.#acquire = acquire;
  }

  async acquire({ name, holder, expiresAt }: Lease, now: Instant): Promise<boolean> {
    const values = [name, holder, expiresAt, now, latestPlausibleExpiry(expiresAt)];
    return (await this.#session.execute(this.#acquire, values)) > 0;
  }
}
