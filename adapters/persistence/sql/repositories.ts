import type { Repositories } from '#application/ports/repositories.ts';
import { apiKeys } from '../schema/entities/api-key.ts';
import { orders } from '../schema/entities/order.ts';
import { orderItems } from '../schema/entities/order-item.ts';
import { payments } from '../schema/entities/payment.ts';
import { products } from '../schema/entities/product.ts';
import { refunds } from '../schema/entities/refund.ts';
import { reviews } from '../schema/entities/review.ts';
import { users } from '../schema/entities/user.ts';
import type { Dialect } from './dialect.ts';
import { idempotencyKeyStatements, SqlIdempotencyKeys } from './idempotency-keys.ts';
import { SqlLeases } from './leases.ts';
import { SqlRepository } from './repository.ts';
import type { SqlSession } from './session.ts';
import { compileStatements } from './statements.ts';

/** All collections as one session sees them. */
export type OpenRepositories = (session: SqlSession) => Repositories;

/** Makes the statements once; what is made for each session after that is next to nothing. */
export const compileRepositories = (dialect: Dialect): OpenRepositories => {
  const of = {
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
    products: new SqlRepository(session, products, of.products),
    users: new SqlRepository(session, users, of.users),
    orders: new SqlRepository(session, orders, of.orders),
    orderItems: new SqlRepository(session, orderItems, of.orderItems),
    reviews: new SqlRepository(session, reviews, of.reviews),
    payments: new SqlRepository(session, payments, of.payments),
    refunds: new SqlRepository(session, refunds, of.refunds),
    apiKeys: new SqlRepository(session, apiKeys, of.apiKeys),
    idempotencyKeys: new SqlIdempotencyKeys(session, of.idempotencyKeys, dialect.purgeIdempotencyKeys),
    leases: new SqlLeases(session),
  });
};
