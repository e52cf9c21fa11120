import type { ApiKey } from '#domain/api-key.ts';
import type { Order, OrderItem } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import type { Product } from '#domain/product.ts';
import type { Refund } from '#domain/refund.ts';
import type { Resource } from '#domain/resource.ts';
import type { Review } from '#domain/review.ts';
import type { User } from '#domain/user.ts';
import type { Page, PageRequest } from '../page.ts';
import type { IdempotencyReader, IdempotencyStore } from './idempotency.ts';
import type { Leases } from './leader-lease.ts';

/** Which of a collection are wanted: those that have all the given fields, each as given. */
type Filter<T, Fields extends keyof T> = { readonly [F in Fields]?: NonNullable<T[F]> };

/** A collection, and the fields that its pages can be filtered by. */
interface Collection<T extends Resource, Fields extends keyof T> {
  readonly resource: T;
  readonly filter: Filter<T, Fields>;
}

/** The collections. Unique in theirs are a product's `sku`, a user's `email` and a review's `itemId`. */
export interface Collections {
  readonly products: Collection<Product, 'status' | 'sku'>;
  readonly users: Collection<User, 'email'>;
  readonly orders: Collection<Order, 'userId' | 'status'>;
  readonly orderItems: Collection<OrderItem, 'orderId'>;
  readonly reviews: Collection<Review, 'itemId' | 'productId' | 'userId'>;
  readonly payments: Collection<Payment, 'orderId' | 'userId'>;
  readonly refunds: Collection<Refund, 'paymentId' | 'userId'>;
  readonly apiKeys: Collection<ApiKey, 'userId'>;
}

/** What can be asked of a collection without changing it. */
export interface Reader<T extends Resource, F> {
  /** As last committed; inside a unit of work, with that unit's own changes. */
  find(id: T['id']): Promise<T | undefined>;

  /**
   * The resources that match, in ascending order of their ids, beginning after `after` whether or not a resource
   * with that id still exists. Walking from page to page never repeats a resource and never leaves out one that
   * was there all the while, whatever is added and removed meanwhile.
   */
  page(filter: F, request: PageRequest<T['id']>): Promise<Page<T>>;

  /** Those whose field has one of the values, in ascending order of their ids. Hundreds of values are one question. */
  findBy<N extends keyof F & string>(field: N, values: readonly NonNullable<F[N]>[]): Promise<readonly T[]>;
}

/**
 * A collection inside a unit of work.
 *
 * A change that cannot be made is refused by the call that makes it or, at the latest, by the unit of work itself
 * as it ends, so nobody counts on catching the refusal in between.
 */
export interface Repository<T extends Resource, F> extends Reader<T, F> {
  /** As `find`, and until this unit of work ends nobody else changes or removes it. */
  lock(id: T['id']): Promise<T | undefined>;

  /** As `among`, and until this unit of work ends nobody else changes or removes them. */
  lockBy<N extends keyof F & string>(field: N, values: readonly NonNullable<F[N]>[]): Promise<readonly T[]>;

  /** @throws DomainError 'conflict', naming the field, when another resource has a value that must be unique */
  add(resource: T): Promise<void>;

  /** As `add` does with each, at once. */
  addAll(resources: readonly T[]): Promise<void>;

  /**
   * Replaces the resource by its next version. When it is not at the version before that one, the unit of work is
   * run again: no two writers lose a change silently.
   * @throws DomainError 'conflict' as `add` does
   */
  save(resource: T): Promise<void>;

  /** As `save` does with each, at once. No resource is there twice. */
  saveAll(resources: readonly T[]): Promise<void>;

  /** Does nothing when it is gone already. */
  remove(id: T['id']): Promise<void>;
}

/** Everything that can be read. */
export type ReadRepositories = {
  readonly [C in keyof Collections]: Reader<Collections[C]['resource'], Collections[C]['filter']>;
} & { readonly idempotencyKeys: IdempotencyReader };

/** Everything that a unit of work can read and change. */
export type Repositories = {
  readonly [C in keyof Collections]: Repository<Collections[C]['resource'], Collections[C]['filter']>;
} & { readonly idempotencyKeys: IdempotencyStore; readonly leases: Leases };
