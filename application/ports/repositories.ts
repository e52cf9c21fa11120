import type { ApiKey } from '#domain/api-key.ts';
import type { Capture } from '#domain/capture.ts';
import type { Dispute } from '#domain/dispute.ts';
import type { Erasure } from '#domain/erasure.ts';
import type { FieldError } from '#domain/errors.ts';
import type { Identity } from '#domain/identity.ts';
import type { Instant } from '#domain/instant.ts';
import type { Order, OrderItem } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import type { Product } from '#domain/product.ts';
import type { Refund } from '#domain/refund.ts';
import type { Resource } from '#domain/resource.ts';
import type { Review } from '#domain/review.ts';
import type { StockChange } from '#domain/stock-change.ts';
import type { User } from '#domain/user.ts';
import type { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import type { WebhookEndpoint } from '#domain/webhooks/endpoint.ts';
import type { EndpointPosition } from '#domain/webhooks/endpoint-position.ts';
import type { EventReader, EventStore } from './events.ts';
import type { IdempotencyReader, IdempotencyStore } from './idempotency.ts';
import type { MissingTimes } from './missing-times.ts';
import { type CreationPeriod, Page, type PageOrder, type PageRequest, type PaidPeriod } from './page.ts';
import type { ProductWordsReader, ProductWordsStore } from './product-words.ts';
import type { ReconciliationTaskReader, ReconciliationTaskStore } from './reconciliation-tasks.ts';
import type { SalesReader } from './sales.ts';
import type { WebhookQueue, WebhookQueueReader } from './webhook-queue.ts';

export { type CreationPeriod, Page, type PageOrder, type PageRequest, type PaidPeriod };

/** Matches resources that have all the given values. */
type Filter<T, Fields extends keyof T> = { readonly [F in Fields]?: NonNullable<T[F]> };

/** A collection, and the fields by which its pages can be filtered. */
interface Collection<T extends Resource, Fields extends keyof T> {
  readonly resource: T;
  readonly filter: Filter<T, Fields>;
}

/**
 * All collections.
 *
 * - Texts are compared and returned code point by code point: no case, accent, normal form or trailing space is ignored.
 * - Texts are stored whole, up to the longest that the rules of the domain allow: an address of 254 characters, an SKU of 64.
 * - Unique within their collection are a product's `sku`, a user's `email` and `externalId`, an order's `externalId`, a
 *   review's `itemId` and `userProduct`, and an identity's `key`.
 * - An order, an API key, an erasure and an identity refer to a user (`userId`), an item and a payment to an order (`orderId`),
 *   a review to an item (`itemId`), and a refund, a capture and a dispute to a payment
 *   (`paymentId`). What is referred to exists, after each single change. All other ids may outlive what they name, such as the product of an item, the user of an idempotency record, and
 *   the endpoint of a delivery.
 * - Of the payments of an order at most one is live: all others have failed or were canceled.
 */
export interface Collections {
  readonly products: Collection<Product, 'status' | 'sku'>;
  readonly users: Collection<User, 'email' | 'role' | 'externalId'>;
  readonly orders: Collection<Order, 'userId' | 'status' | 'number' | 'externalId'>;
  readonly orderItems: Collection<OrderItem, 'orderId'>;
  readonly reviews: Collection<Review, 'itemId' | 'productId' | 'userId' | 'userProduct'>;
  readonly payments: Collection<Payment, 'orderId' | 'userId' | 'status'>;
  readonly refunds: Collection<Refund, 'paymentId' | 'userId'>;
  readonly captures: Collection<Capture, 'paymentId' | 'userId'>;
  readonly disputes: Collection<Dispute, 'paymentId' | 'orderId' | 'status'>;
  readonly apiKeys: Collection<ApiKey, 'userId' | 'createdBy'>;
  readonly identities: Collection<Identity, 'userId' | 'key'>;
  readonly erasures: Collection<Erasure, 'userId' | 'status'>;
  readonly stockChanges: Collection<StockChange, 'productId'>;
  readonly webhookEndpoints: Collection<WebhookEndpoint, never>;
  readonly endpointPositions: Collection<EndpointPosition, never>;
  readonly webhookDeliveries: Collection<WebhookDelivery, 'endpointId' | 'eventId' | 'status'>;
}

/** The constraints of a collection that its store keeps. */
export interface Constraints<Unique = string, Reference = string> {
  /** No two resources have the same value in one of these fields; any number have none. */
  readonly unique?: readonly Unique[];
  /** What a conflict on a unique field names instead, where clients do not see that field. */
  readonly conflicts?: Readonly<Record<string, FieldError>>;
  /** The field with the id of a resource that exists, or null, and the collection of that resource. */
  readonly reference?: readonly [field: Reference, to: keyof Collections];
}

/**
 * The constraints of every collection, as the doc of `Collections` lists them, but for live payments. Each collection stands
 * behind the one that it refers to.
 */
export const constraints: {
  readonly [C in keyof Collections]: Constraints<
    keyof Collections[C]['filter'] & string,
    keyof Collections[C]['resource'] & string
  >;
} = {
  products: { unique: ['sku'] },
  users: { unique: ['email', 'externalId'] },
  orders: { unique: ['externalId'], reference: ['userId', 'users'] },
  orderItems: { reference: ['orderId', 'orders'] },
  reviews: {
    unique: ['itemId', 'userProduct'],
    conflicts: {
      userProduct: { field: 'itemId', message: 'is of a product that this user has reviewed already' },
    },
    reference: ['itemId', 'orderItems'],
  },
  payments: { reference: ['orderId', 'orders'] },
  refunds: { reference: ['paymentId', 'payments'] },
  captures: { reference: ['paymentId', 'payments'] },
  disputes: { reference: ['paymentId', 'payments'] },
  apiKeys: { reference: ['userId', 'users'] },
  identities: { unique: ['key'], reference: ['userId', 'users'] },
  erasures: { reference: ['userId', 'users'] },
  stockChanges: {},
  webhookEndpoints: {},
  endpointPositions: {},
  webhookDeliveries: {},
};

/** The names of all collections, in an order in which resources can be added. */
export const collectionNames = Object.keys(constraints) as readonly (keyof Collections)[];

/** The fields by which `findBy` finds resources: those of the collection's filter, and `id`. */
export type FoundBy<T extends Resource, F> = F & Pick<T, 'id'>;

/** Reads of a collection. Outside a unit of work each sees the latest commit; inside, the unit's own changes too. */
export interface Reader<T extends Resource, F> {
  find(id: T['id']): Promise<T | undefined>;

  /**
   * Lists the resources that match filter and period, in ascending or descending order of id. The page begins after `after` in
   * that order, even when the resource with that id no longer exists. A walk through all pages in either order never repeats a
   * resource, and never omits one that existed throughout, despite concurrent changes.
   */
  page(filter: F, request: PageRequest<T['id']>): Promise<Page<T>>;

  /**
   * Finds the resources whose field has one of the values, in ascending order of id, and each once although values are
   * repeated. One query serves hundreds of values.
   * @param field one of the collection's filter, or `id`
   */
  findBy<N extends keyof FoundBy<T, F> & string>(
    field: N,
    values: readonly NonNullable<FoundBy<T, F>[N]>[],
  ): Promise<readonly T[]>;

  /**
   * Finds as `findBy` does, but of each value only the first resources, in ascending order of id. Resources of one value never
   * displace those of another.
   * @param limit the maximum number of resources for each value, at least 1
   */
  firstBy<N extends keyof F & string>(
    field: N,
    values: readonly NonNullable<F[N]>[],
    limit: number,
  ): Promise<readonly T[]>;
}

/**
 * A collection inside a unit of work.
 *
 * - Changes happen in the order of the calls.
 * - A change that violates a constraint is rejected by its own call, by a later one, or when the unit of work ends. So work
 *   must not rely on catching the error.
 * - A reference to nothing, a removal of what is referred to, and a second live payment can be due to another unit of work
 *   that was first. So the unit of work may be run once more; when that violates the same constraint, it throws
 *   ConstraintViolation. The same error is thrown for an id that exists.
 */
export interface Repository<T extends Resource, F> extends Reader<T, F> {
  /**
   * Finds a resource and locks it: no other unit of work can change or remove it until this one ends. The resource is
   * returned as the last holder of the lock has written it, and everything that this unit of work reads afterwards, from any
   * collection, includes what that holder has committed.
   */
  lock(id: T['id']): Promise<T | undefined>;

  /**
   * Finds resources as `findBy` does, and locks each as `lock` does. By `id` it locks them in ascending order of id, so that two
   * units of work that lock several resources do not deadlock.
   */
  lockBy<N extends keyof FoundBy<T, F> & string>(
    field: N,
    values: readonly NonNullable<FoundBy<T, F>[N]>[],
  ): Promise<readonly T[]>;

  /**
   * @throws DomainError 'conflict' as `conflictIn` makes it, when another resource has the same value of a unique field. Of
   *   several such fields it names any one.
   */
  add(resource: T): Promise<void>;

  /** Adds each resource as `add` does, in bulk. */
  addAll(resources: readonly T[]): Promise<void>;

  /**
   * Replaces a resource with its next version (optimistic concurrency). When the stored version is not the previous one,
   * the unit of work is run again, so that no update is lost.
   * @throws DomainError 'conflict' as `add` does
   */
  save(resource: T): Promise<void>;

  /** Saves each resource as `save` does, in bulk. No resource may appear twice. */
  saveAll(resources: readonly T[]): Promise<void>;

  /** Removes a resource. Does nothing when it does not exist. No other resource may refer to it. */
  remove(id: T['id']): Promise<void>;
}

/** A leader lease: at most one of the processes that share a store holds it at a time. */
export interface Lease {
  /** Compared code point by code point, like the name of its holder. */
  readonly name: string;
  /** The name of the leader. It is unique to one process. */
  readonly holder: string;
  /** When another process can acquire the lease. */
  readonly expiresAt: Instant;
}

export interface Leases {
  /**
   * Acquires the lease, or renews it, unless another holder's lease has not expired. Of concurrent calls by several
   * holders, exactly one succeeds. A stored lease that expires later than plausible counts as expired. It is part of the unit of work
   * as any write: units that acquire one lease, also for the same holder, see what those before them have written.
   * @returns whether the holder has the lease until it expires
   */
  acquire(lease: Lease, now: Instant): Promise<boolean>;
}

/** All collections, for reading. */
export type ReadRepositories = {
  readonly [C in keyof Collections]: Reader<Collections[C]['resource'], Collections[C]['filter']>;
} & {
  readonly idempotencyKeys: IdempotencyReader;
  readonly productWords: ProductWordsReader;
  readonly reconciliationTasks: ReconciliationTaskReader;
  readonly webhookQueue: WebhookQueueReader;
  readonly sales: SalesReader;
  readonly events: EventReader;
};

/** All collections, for a unit of work. */
export type Repositories = {
  readonly [C in keyof Collections]: Repository<Collections[C]['resource'], Collections[C]['filter']>;
} & {
  readonly idempotencyKeys: IdempotencyStore;
  readonly productWords: ProductWordsStore;
  readonly leases: Leases;
  readonly reconciliationTasks: ReconciliationTaskStore;
  readonly webhookQueue: WebhookQueue;
  readonly sales: SalesReader;
  readonly missingTimes: MissingTimes;
  /** Without `append`: one place alone turns changes into events. */
  readonly events: Omit<EventStore, 'append'>;
};

/** All collections, for a unit of work of the store itself. */
export type StoreRepositories = Omit<Repositories, 'events'> & { readonly events: EventStore };
