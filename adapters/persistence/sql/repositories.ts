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
import { keyStatementsOf, TableIdempotencyKeys } from './idempotency-keys.ts';
import { TableDuties } from './leases.ts';
import { TableRepository } from './repository.ts';
import type { Session } from './session.ts';
import { statementsOf } from './statements.ts';

/** All collections as one session sees them. */
export type RepositoriesOver = (session: Session) => Repositories;

/** Makes the statements once; what is made for each session after that is next to nothing. */
export const repositoriesIn = (dialect: Dialect): RepositoriesOver => {
  const of = {
    products: statementsOf(products, dialect),
    users: statementsOf(users, dialect),
    orders: statementsOf(orders, dialect),
    orderItems: statementsOf(orderItems, dialect),
    reviews: statementsOf(reviews, dialect),
    payments: statementsOf(payments, dialect),
    refunds: statementsOf(refunds, dialect),
    apiKeys: statementsOf(apiKeys, dialect),
    idempotencyKeys: keyStatementsOf(dialect),
  };
  return (session) => ({
    products: new TableRepository(session, products, of.products),
    users: new TableRepository(session, users, of.users),
    orders: new TableRepository(session, orders, of.orders),
    orderItems: new TableRepository(session, orderItems, of.orderItems),
    reviews: new TableRepository(session, reviews, of.reviews),
    payments: new TableRepository(session, payments, of.payments),
    refunds: new TableRepository(session, refunds, of.refunds),
    apiKeys: new TableRepository(session, apiKeys, of.apiKeys),
    idempotencyKeys: new TableIdempotencyKeys(session, of.idempotencyKeys, dialect.forgetKeys),
    duties: new TableDuties(session),
  });
};
