import { Dispute } from '#domain/dispute.ts';
import type { EventName, SubjectType } from '#domain/event.ts';
import type { Order, OrderId } from '#domain/order.ts';
import { Payment } from '#domain/payment.ts';
import type { Product } from '#domain/product.ts';
import type { Resource } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';
import type { Collections } from '../ports/repositories.ts';

/** A resource before and after one change. */
export interface Change<T extends Resource> {
  /** Undefined when it was added. */
  readonly before: T | undefined;
  /** Undefined when it was removed. */
  readonly after: T | undefined;
}

/** What a declaration may ask of the unit of work that makes the change. */
export interface UnitChanges {
  /** Whether the unit of work has changed any resource of the collection. */
  readonly hasChanged: (collection: keyof Collections) => boolean;
}

/** What else of the subject an event needs. Ids of resources whose order it is are looked up where the unit of work knows them. */
export type Belonging<T> =
  | { readonly orderId: (resource: T) => OrderId }
  | { readonly userId: (resource: T) => UserId }
  /** The order is that of another resource. */
  | { readonly by: readonly [collection: 'payments' | 'orderItems', id: (resource: T) => Resource['id']] }
  | 'nothing';

/** Which events the changes of a collection have. */
interface Declaration<T extends Resource, S extends SubjectType> {
  readonly subject: S;
  readonly belongsTo: Belonging<T>;
  /** @returns undefined for a change without an event */
  readonly nameOf: (change: Change<T>, unit: UnitChanges) => EventName<S> | undefined;
  /** Fields that clients never see, and that no event may hold, such as a secret. */
  readonly hidden?: readonly (keyof T & string)[];
}

type AnyDeclaration<T extends Resource> = { readonly [S in SubjectType]: Declaration<T, S> }[SubjectType];

/** Why the changes of a collection have no event. */
type None = { readonly none: string };

const plain = ({ before, after }: Change<Resource>): 'created' | 'updated' | 'deleted' => {
  if (before === undefined) return 'created';
  return after === undefined ? 'deleted' : 'updated';
};

/** Stock that an order reserves or gives back changes with the order; staff change a product alone. */
const nameOfProduct = (
  change: Change<Product>,
  { hasChanged }: UnitChanges,
): EventName<'product'> | undefined => {
  const { before, after } = change;
  if (before === undefined || after === undefined || !hasChanged('orders')) return plain(change);
  if (before.stock === after.stock) return undefined;
  if (after.stock === 0) return 'out_of_stock';
  return before.stock === 0 ? 'back_in_stock' : undefined;
};

/** A payment that begins locks its order, which is no event. What a refund that failed late gives back has had its event before. */
const nameOfOrder = ({ before, after }: Change<Order>): EventName<'order'> | undefined => {
  if (before === undefined || after === undefined) return 'created';
  if (before.status !== after.status && before.status !== 'refunded' && after.status !== 'pending')
    return after.status;
  return after.paying && !before.paying ? undefined : 'updated';
};

/** A payment that begins has no event. One that was paid once can only become `refunded`. */
const nameOfPayment = ({ before, after }: Change<Payment>): EventName<'payment'> | undefined => {
  const status = after?.status ?? 'pending';
  if (before === undefined && status === 'pending') return undefined;
  if (before?.status === status || status === 'pending' || status === 'partially_refunded') return 'updated';
  return before !== undefined && Payment.isPaid(before) && status !== 'refunded' ? 'updated' : status;
};

/**
 * The events of every collection: the one place where they are decided. A version has at most one event. What is not named here
 * does not compile, so a new collection has its events, or the reason why it has none.
 */
export const declarations: {
  readonly [C in keyof Collections]: AnyDeclaration<Collections[C]['resource']> | None;
} = {
  products: { subject: 'product', belongsTo: 'nothing', nameOf: nameOfProduct },
  users: {
    subject: 'user',
    belongsTo: { userId: ({ id }) => id },
    nameOf: ({ before, after }) =>
      after?.status === 'erased' && before?.status !== 'erased' ? 'erased' : plain({ before, after }),
  },
  orders: { subject: 'order', belongsTo: { orderId: ({ id }) => id }, nameOf: nameOfOrder },
  orderItems: { none: 'An event of the order tells of its items.' },
  reviews: { subject: 'review', belongsTo: { by: ['orderItems', ({ itemId }) => itemId] }, nameOf: plain },
  payments: {
    subject: 'payment',
    belongsTo: { orderId: ({ orderId }) => orderId },
    nameOf: nameOfPayment,
  },
  refunds: {
    subject: 'refund',
    belongsTo: { by: ['payments', ({ paymentId }) => paymentId] },
    nameOf: ({ before, after }) =>
      after === undefined || before?.status === after.status ? 'updated' : after.status,
  },
  captures: { none: 'An event of the payment tells of them.' },
  disputes: {
    subject: 'dispute',
    belongsTo: { orderId: ({ orderId }) => orderId },
    nameOf: ({ before, after }) => {
      if (before === undefined || after === undefined) return 'created';
      return Dispute.isClosed(after) && !Dispute.isClosed(before) ? 'closed' : 'updated';
    },
  },
  apiKeys: {
    subject: 'api_key',
    belongsTo: { userId: ({ userId }) => userId },
    nameOf: ({ before, after }) =>
      before?.lastUsedAt !== after?.lastUsedAt && before && after ? undefined : plain({ before, after }),
    hidden: ['secretHash'],
  },
  identities: { none: 'They are links to an identity provider, which clients do not see.' },
  erasures: { none: 'The event `user.erased` tells of them.' },
  stockChanges: { subject: 'stock_change', belongsTo: 'nothing', nameOf: () => 'created' },
  webhookEndpoints: {
    subject: 'webhook_endpoint',
    belongsTo: 'nothing',
    nameOf: ({ before, after }) =>
      before?.status === 'enabled' && after?.status === 'disabled' ? 'disabled' : plain({ before, after }),
    hidden: ['sealedSecrets'],
  },
  endpointPositions: {
    none: 'It changes with every batch of deliveries, and is no part of the version of its endpoint.',
  },
  webhookDeliveries: { none: 'They are deliveries of events, and an event for each would never end.' },
};
