import { randomUUID } from 'node:crypto';
import type { IdempotencyRecord } from '#application/ports/idempotency.ts';
import type { ReconciliationTask } from '#application/ports/reconciliation-tasks.ts';
import {
  type Collections,
  collectionNames,
  type Lease,
  type Leases,
  type ReadRepositories,
  type Repositories,
  type StoreRepositories,
} from '#application/ports/repositories.ts';
import { latestPlausibleExpiry } from '#application/ports/system.ts';
import type { Reading, RequestContext, StoreUnitOfWork, StoreWork } from '#application/ports/unit-of-work.ts';
import type { Event } from '#domain/event.ts';
import type { Resource } from '#domain/resource.ts';
import type { ProductWords } from '#domain/search.ts';
import { deadlineOf, defaultMaxAttempts, retryOnConflict, throwIfExpired } from '../retry.ts';
import { type Drafts, indexedFields } from './constraints.ts';
import { beginFeed, type FeedRow, MemoryEvents } from './events.ts';
import { MemoryIdempotencyKeys } from './idempotency-keys.ts';
import { MemoryMissingTimes } from './missing-times.ts';
import { MemoryProductWords } from './product-words.ts';
import { MemoryReconciliationTasks, type ReadPosition } from './reconciliation-tasks.ts';
import { MemoryRepository, type Reject } from './repository.ts';
import { Draft, Rows } from './rows.ts';
import { MemorySales } from './sales.ts';
import { MemoryWebhookQueue } from './webhook-queue.ts';

type CollectionTables = { readonly [C in keyof Collections]: Rows<Collections[C]['resource']> };
export type MemoryTables = CollectionTables & {
  readonly idempotencyKeys: Rows<IdempotencyRecord>;
  readonly productWords: Rows<ProductWords>;
  readonly leases: Rows<Lease>;
  readonly reconciliationTasks: Rows<ReconciliationTask>;
  readonly eventReadPositions: Rows<ReadPosition>;
  readonly events: Rows<Event>;
  readonly feed: Rows<FeedRow>;
};

export const emptyTables = (): MemoryTables => ({
  ...ofEach<CollectionTables>((name) => new Rows(indexedFields(name))),
  idempotencyKeys: new Rows(),
  productWords: new Rows(),
  leases: new Rows(),
  reconciliationTasks: new Rows(),
  eventReadPositions: new Rows(),
  events: new Rows(),
  feed: new Rows(),
});

/** Reference implementation of the unit of work: serial execution, each on an uncommitted overlay of its own. */
export class MemoryUnitOfWork implements StoreUnitOfWork {
  readonly #tables: MemoryTables;

  /** Reads share it, because each sees what is committed when it runs, and writes nothing. */
  readonly #reader: ReadRepositories;

  /** Settles when the last unit of work in the queue has ended. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #stats = { waiting: 0, served: 0 };

  /**
   * @param tables what has been committed
   * @param feedId the id of the feed, where the tables have none yet
   */
  constructor(tables = emptyTables(), feedId: string = randomUUID()) {
    this.#tables = tables;
    beginFeed(tables.feed, feedId);
    this.#reader = this.#open(rejectRead).repositories;
  }

  run<T>(work: StoreWork<T>, context?: RequestContext): Promise<T> {
    const deadline = deadlineOf(context);
    const attempt = () => this.#attempt(work, deadline);
    // Execution is serial, so what a retry conflicted with has ended, and it need not wait.
    const turn = this.#last.then(() => retryOnConflict(attempt, deadline, defaultMaxAttempts, 0));
    this.#stats.waiting += 1;
    this.#last = turn
      // The caller gets the error. The units behind it in the queue run all the same.
      .catch(() => undefined)
      .then(() => {
        this.#stats.waiting -= 1;
        this.#stats.served += 1;
      });
    return turn;
  }

  /** How many units of work wait or run, and how many have ended so far. */
  get stats(): { readonly waiting: number; readonly served: number } {
    return this.#stats;
  }

  async read<T>(reading: Reading<T>, context?: RequestContext): Promise<T> {
    throwIfExpired(deadlineOf(context));
    return reading(this.#reader);
  }

  async #attempt<T>(work: StoreWork<T>, deadline: number): Promise<T> {
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

  #open(reject: Reject): { readonly repositories: StoreRepositories; readonly commit: () => void } {
    const drafts: Draft<object>[] = [];
    const draft = <T extends object>(rows: Rows<T>): Draft<T> => {
      const opened = new Draft(rows);
      drafts.push(opened as Draft<object>);
      return opened;
    };
    const tables = this.#tables;
    const all = ofEach<Drafts>((name) => draft<object>(tables[name]));
    const repositories: StoreRepositories = {
      ...ofEach<CollectionRepositories>(
        (name) => new MemoryRepository(name, all[name] as Draft<Resource>, all, reject),
      ),
      idempotencyKeys: new MemoryIdempotencyKeys(draft(tables.idempotencyKeys), reject),
      productWords: new MemoryProductWords(draft(tables.productWords), all.products),
      leases: memoryLeases(draft(tables.leases)),
      reconciliationTasks: new MemoryReconciliationTasks(
        draft(tables.reconciliationTasks),
        draft(tables.eventReadPositions),
      ),
      webhookQueue: new MemoryWebhookQueue(all.webhookDeliveries, all.webhookEndpoints),
      sales: new MemorySales(all),
      missingTimes: new MemoryMissingTimes(all),
      events: new MemoryEvents(draft(tables.events), draft(tables.feed)),
    };
    return {
      repositories,
      commit: () => {
        for (const pending of drafts) pending.commit();
      },
    };
  }
}

type CollectionRepositories = Pick<Repositories, keyof Collections>;

/** Makes something for each collection. TypeScript cannot relate the name of a collection to the type of its part. */
const ofEach = <Parts extends { readonly [C in keyof Collections]: unknown }>(
  make: (name: keyof Collections) => unknown,
): Parts => Object.fromEntries(collectionNames.map((name) => [name, make(name)])) as Parts;

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
