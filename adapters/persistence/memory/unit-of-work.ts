import type { IdempotencyRecord } from '#application/ports/idempotency.ts';
import type { Collections, Lease, Leases, Repositories } from '#application/ports/repositories.ts';
import { latestPlausibleExpiry } from '#application/ports/system.ts';
import type { Reading, RequestContext, UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import { deadlineOf, retryOnConflict, throwIfExpired } from '../retry.ts';
import { type Drafts, indexedFields } from './constraints.ts';
import { MemoryIdempotencyKeys } from './idempotency-keys.ts';
import { MemoryRepository, type Reject } from './repository.ts';
import { Draft, Rows } from './rows.ts';

type Tables = { readonly [C in keyof Collections]: Rows<Collections[C]['resource']> } & {
  readonly idempotencyKeys: Rows<IdempotencyRecord>;
  readonly leases: Rows<Lease>;
};

/** Reference implementation of the unit of work: serial execution, each on an uncommitted overlay of its own. */
export class MemoryUnitOfWork implements UnitOfWork {
  readonly #tables: Tables = {
    products: new Rows(indexedFields('products')),
    users: new Rows(indexedFields('users')),
    orders: new Rows(indexedFields('orders')),
    orderItems: new Rows(indexedFields('orderItems')),
    reviews: new Rows(indexedFields('reviews')),
    payments: new Rows(indexedFields('payments')),
    refunds: new Rows(indexedFields('refunds')),
    apiKeys: new Rows(indexedFields('apiKeys')),
    idempotencyKeys: new Rows(),
    leases: new Rows(),
  };

  /** Settles when the last unit of work in the queue has ended. */
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: Work<T>, context?: RequestContext): Promise<T> {
    const deadline = deadlineOf(context);
    const turn = this.#last.then(() => retryOnConflict(() => this.#attempt(work, deadline), deadline));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async read<T>(reading: Reading<T>, context?: RequestContext): Promise<T> {
    throwIfExpired(deadlineOf(context));
    return reading(this.#open(rejectRead).repositories);
  }

  async #attempt<T>(work: Work<T>, deadline: number): Promise<T> {
    let failure: Error | undefined;
    const { repositories, commit } = this.#open((error) => {
      failure ??= error;
      throw error;
    });
    const result = await work(repositories);
    if (failure !== undefined) throw failure;
    throwIfExpired(deadline);
    commit();
    return result;
  }

  #open(reject: Reject): { readonly repositories: Repositories; readonly commit: () => void } {
    const drafts: Draft<object>[] = [];
    const draft = <T extends object>(rows: Rows<T>): Draft<T> => {
      const opened = new Draft(rows);
      drafts.push(opened as Draft<object>);
      return opened;
    };
    const tables = this.#tables;
    const all: Drafts = {
      products: draft(tables.products),
      users: draft(tables.users),
      orders: draft(tables.orders),
      orderItems: draft(tables.orderItems),
      reviews: draft(tables.reviews),
      payments: draft(tables.payments),
      refunds: draft(tables.refunds),
      apiKeys: draft(tables.apiKeys),
    };
    const repositories: Repositories = {
      products: new MemoryRepository('products', all.products, all, reject),
      users: new MemoryRepository('users', all.users, all, reject),
      orders: new MemoryRepository('orders', all.orders, all, reject),
      orderItems: new MemoryRepository('orderItems', all.orderItems, all, reject),
      reviews: new MemoryRepository('reviews', all.reviews, all, reject),
      payments: new MemoryRepository('payments', all.payments, all, reject),
      refunds: new MemoryRepository('refunds', all.refunds, all, reject),
      apiKeys: new MemoryRepository('apiKeys', all.apiKeys, all, reject),
      idempotencyKeys: new MemoryIdempotencyKeys(draft(tables.idempotencyKeys), reject),
      leases: memoryLeases(draft(tables.leases)),
    };
    return {
      repositories,
      commit: () => {
        for (const pending of drafts) pending.commit();
      },
    };
  }
}

const rejectRead: Reject = (error) => {
  throw error;
};

const memoryLeases = (draft: Draft<Lease>): Leases => ({
  acquire: async (lease, now) => {
    const current = draft.get(lease.name);
    const latest = latestPlausibleExpiry(lease.expiresAt);
    const isHeld = current !== undefined && current.expiresAt > now && current.expiresAt <= latest;
    if (isHeld && current.holder !== lease.holder) return false;
    draft.put(lease.name, lease);
    return true;
  },
});
