import { ConstraintViolation } from '#application/errors.ts';
import type { Collections } from '#application/ports/repositories.ts';
import { conflictOn } from '#domain/errors.ts';
import type { Payment } from '#domain/payment.ts';
import type { Id, Resource } from '#domain/resource.ts';
import type { Draft } from './rows.ts';

/** What one unit of work sees of each collection. */
export type Drafts = { readonly [C in keyof Collections]: Draft<Collections[C]['resource']> };

/** The constraints of one collection. Both methods return the error that a change is rejected with. */
export interface Constraints<T extends Resource> {
  /** @param resource as it would be after the change */
  violation(resource: T, drafts: Drafts): Error | undefined;
  violationOfRemoval(id: T['id'], drafts: Drafts): Error | undefined;
}

/** The fields by which the constraints look for resources. */
export const indexedFields = {
  products: ['sku'],
  users: ['email'],
  orders: ['userId'],
  orderItems: ['orderId'],
  reviews: ['itemId'],
  payments: ['orderId'],
  refunds: ['paymentId'],
  apiKeys: ['userId'],
} as const satisfies { readonly [C in keyof Collections]: readonly (keyof Collections[C]['resource'])[] };

const none = (): undefined => undefined;

/** The constraints that the doc of `Collections` promises. */
export const constraints: { readonly [C in keyof Collections]: Constraints<Collections[C]['resource']> } = {
  products: {
    violation: (product, { products }) => taken(products, 'sku', product),
    violationOfRemoval: none,
  },
  users: {
    violation: (user, { users }) => taken(users, 'email', user),
    violationOfRemoval: (id, { orders, apiKeys }) =>
      referred(orders, 'userId', id) ?? referred(apiKeys, 'userId', id),
  },
  orders: {
    violation: ({ userId }, { users }) => missing(users, userId),
    violationOfRemoval: (id, { orderItems, payments }) =>
      referred(orderItems, 'orderId', id) ?? referred(payments, 'orderId', id),
  },
  orderItems: {
    violation: ({ orderId }, { orders }) => missing(orders, orderId),
    violationOfRemoval: (id, { reviews }) => referred(reviews, 'itemId', id),
  },
  reviews: {
    violation: (review, { reviews, orderItems }) =>
      taken(reviews, 'itemId', review) ?? missing(orderItems, review.itemId),
    violationOfRemoval: none,
  },
  payments: {
    violation: (payment, { payments, orders }) =>
      secondLivePayment(payments, payment) ?? missing(orders, payment.orderId),
    violationOfRemoval: (id, { refunds }) => referred(refunds, 'paymentId', id),
  },
  refunds: {
    violation: ({ paymentId }, { payments }) => missing(payments, paymentId),
    violationOfRemoval: none,
  },
  apiKeys: {
    violation: ({ userId }, { users }) => missing(users, userId),
    violationOfRemoval: none,
  },
};

/** The field is unique, and another resource has the same value. */
const taken = <T extends Resource, F extends keyof T & string>(
  rows: Draft<T>,
  field: F,
  { id, [field]: value }: T,
): Error | undefined =>
  value !== null && rows.having(field, value).some((other) => other.id !== id)
    ? conflictOn(field)
    : undefined;

/** A reference is to nothing. */
const missing = (rows: Draft<Resource>, id: Id): Error | undefined =>
  rows.get(id) === undefined ? new ConstraintViolation(`There is no resource with the id ${id}.`) : undefined;

/** Another resource refers to the one that would be removed. */
const referred = <T extends Resource, F extends keyof T & string>(
  rows: Draft<T>,
  field: F,
  id: T[F],
): Error | undefined =>
  rows.having(field, id).length > 0
    ? new ConstraintViolation(`A resource refers to ${id} by its ${field}.`)
    : undefined;

const secondLivePayment = (payments: Draft<Payment>, { id, orderId, status }: Payment): Error | undefined =>
  status !== 'failed' &&
  payments.having('orderId', orderId).some((other) => other.id !== id && other.status !== 'failed')
    ? new ConstraintViolation(`The order ${orderId} has another payment that has not failed.`)
    : undefined;
