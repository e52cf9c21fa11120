import type { IdempotencyRecord } from '#application/ports/idempotency.ts';
import type { Lease } from '#application/ports/leader-lease.ts';
import type { Collections, Repositories } from '#application/ports/repositories.ts';
import type { Mandate, Reading, UnitOfWork, Work } from '#application/ports/unit-of-work.ts';
import { deadlineOf, throwIfExpired } from '../deadline.ts';
import { retryOnConflict } from '../retry.ts';
import { Draft } from './draft.ts';
import { MemoryIdempotencyKeys } from './idempotency-keys.ts';
import { MemoryLeases } from './leases.ts';
import { MemoryRepository, type Refuse } from './repository.ts';
import { Rows } from './rows.ts';

type Tables = { readonly [C in keyof Collections]: Rows<Collections[C]['resource']> } & {
  readonly idempotencyKeys: Rows<IdempotencyRecord>;
  readonly duties: Rows<Lease>;
};

/** The reference that the other stores are measured by: one unit of work at a time, each on a draft of its own. */
export class MemoryUnitOfWork implements UnitOfWork {
  readonly #tables: Tables = {
    products: new Rows(),
    users: new Rows(),
    orders: new Rows(),
    orderItems: new Rows(),
    reviews: new Rows(),
    payments: new Rows(),
    refunds: new Rows(),
    apiKeys: new Rows(),
    idempotencyKeys: new Rows(),
    duties: new Rows(),
  };

  /** Settles when the last unit of work that was asked for has ended. */
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: Work<T>, mandate?: Mandate): Promise<T> {
    const until = deadlineOf(mandate);
    const turn = this.#last.then(() => retryOnConflict(() => this.#attempt(work, until), until));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async read<T>(reading: Reading<T>, mandate?: Mandate): Promise<T> {
    throwIfExpired(deadlineOf(mandate));
    return reading(this.#open(refuseReading).repositories);
  }

  async #attempt<T>(work: Work<T>, until: number): Promise<T> {
    let refusal: Error | undefined;
    const { repositories, commit } = this.#open((error) => {
      refusal ??= error;
      throw error;
    });
    const result = await work(repositories);
    if (refusal !== undefined) throw refusal;
    throwIfExpired(until);
    commit();
    return result;
  }

  #open(refuse: Refuse): { readonly repositories: Repositories; readonly commit: () => void } {
    const drafts: Draft<unknown>[] = [];
    const draft = <T>(rows: Rows<T>): Draft<T> => {
      const one = new Draft(rows);
      drafts.push(one as Draft<unknown>);
      return one;
    };
    const tables = this.#tables;
    const repositories: Repositories = {
      products: new MemoryRepository(draft(tables.products), refuse, ['sku']),
      users: new MemoryRepository(draft(tables.users), refuse, ['email']),
      orders: new MemoryRepository(draft(tables.orders), refuse),
      orderItems: new MemoryRepository(draft(tables.orderItems), refuse),
      reviews: new MemoryRepository(draft(tables.reviews), refuse, ['itemId']),
      payments: new MemoryRepository(draft(tables.payments), refuse),
      refunds: new MemoryRepository(draft(tables.refunds), refuse),
      apiKeys: new MemoryRepository(draft(tables.apiKeys), refuse),
      idempotencyKeys: new MemoryIdempotencyKeys(draft(tables.idempotencyKeys)),
      leases: new MemoryLeases(draft(tables.duties)),
    };
    return {
      repositories,
      commit: () => {
        for (const each of drafts) each.commit();
      },
    };
  }
}

const refuseReading: Refuse = (error) => {
  throw error;
};
