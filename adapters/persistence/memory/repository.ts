import { ConcurrencyConflict, ConstraintViolation } from '#application/errors.ts';
import {
  type FoundBy,
  Page,
  type PageRequest,
  type PaidPeriod,
  type Repository,
} from '#application/ports/repositories.ts';
import type { Order } from '#domain/order.ts';
import type { Resource } from '#domain/resource.ts';
import { type CollectionName, type Drafts, violation, violationOfRemoval } from './constraints.ts';
import type { Draft } from './rows.ts';

/** Throws, and makes the unit of work roll back even if its work catches the error. */
export type Reject = (error: Error) => never;

/** A collection as one unit of work sees it. Execution is serial, so a lock on a row needs no action. */
export class MemoryRepository<T extends Resource, F extends Partial<T>> implements Repository<T, F> {
  readonly #draft: Draft<T>;
  readonly #drafts: Drafts;
  readonly #name: CollectionName;
  readonly #reject: Reject;

  /**
   * @param draft the resources of this collection
   * @param drafts all collections, because the constraints read others too
   */
  constructor(name: CollectionName, draft: Draft<T>, drafts: Drafts, reject: Reject) {
    this.#draft = draft;
    this.#drafts = drafts;
    this.#name = name;
    this.#reject = reject;
  }

  async find(id: T['id']): Promise<T | undefined> {
    return this.#draft.get(id);
  }

  lock(id: T['id']): Promise<T | undefined> {
    return this.find(id);
  }

  async page(filter: F, request: PageRequest<T['id']>): Promise<Page<T>> {
    const { after, limit, order, createdFrom, createdBefore } = request;
    const isPaid = paidIn(request);
    const conditions = Object.entries(filter).filter(([, value]) => value !== undefined) as [
      keyof T,
      unknown,
    ][];
    const rows: T[] = [];
    for (const row of this.#draft.walk(after, order)) {
      if (createdFrom !== undefined && row.createdAt < createdFrom) continue;
      if (createdBefore !== undefined && row.createdAt >= createdBefore) continue;
      if (!isPaid(row)) continue;
      if (conditions.every(([field, value]) => row[field] === value)) rows.push(row);
      if (rows.length > limit) break;
    }
    return Page.of(rows, limit);
  }

  async findBy<N extends keyof FoundBy<T, F> & string>(
    field: N,
    values: readonly NonNullable<FoundBy<T, F>[N]>[],
  ): Promise<T[]> {
    const wanted: ReadonlySet<unknown> = new Set(values);
    if (field === 'id') {
      const ids = [...(wanted as ReadonlySet<T['id']>)].sort();
      return ids.flatMap((id) => this.#draft.get(id) ?? []);
    }
    const name: string = field;
    return [...this.#draft.walk()].filter((row) => wanted.has(row[name as keyof T]));
  }

  async firstBy<N extends keyof F & string>(
    field: N,
    values: readonly NonNullable<F[N]>[],
    limit: number,
  ): Promise<T[]> {
    const left = new Map<unknown, number>(values.map((value) => [value, limit]));
    const name: string = field;
    return [...this.#draft.walk()].filter((row) => {
      const value = row[name as keyof T];
      const count = left.get(value) ?? 0;
      left.set(value, count - 1);
      return count > 0;
    });
  }

  lockBy<N extends keyof FoundBy<T, F> & string>(
    field: N,
    values: readonly NonNullable<FoundBy<T, F>[N]>[],
  ): Promise<T[]> {
    return this.findBy(field, values);
  }

  async add(resource: T): Promise<void> {
    if (this.#draft.get(resource.id) !== undefined)
      this.#reject(new ConstraintViolation(`A resource with the id ${resource.id} exists already.`));
    this.#check(violation(this.#name, resource, this.#drafts));
    this.#draft.put(resource.id, resource);
  }

  async addAll(resources: readonly T[]): Promise<void> {
    for (const resource of resources) await this.add(resource);
  }

  async save(resource: T): Promise<void> {
    if (this.#draft.get(resource.id)?.version !== resource.version - 1) {
      this.#reject(new ConcurrencyConflict('The resource has another version now.'));
    }
    this.#check(violation(this.#name, resource, this.#drafts));
    this.#draft.put(resource.id, resource);
  }

  async saveAll(resources: readonly T[]): Promise<void> {
    for (const resource of resources) await this.save(resource);
  }

  async remove(id: T['id']): Promise<void> {
    this.#check(violationOfRemoval(this.#name, id, this.#drafts));
    this.#draft.put(id, undefined);
  }

  #check(error: Error | undefined): void {
    if (error !== undefined) this.#reject(error);
  }
}

/** Only orders are asked for by when they were paid. */
const paidIn = ({ paidFrom, paidBefore }: PaidPeriod): ((resource: Resource) => boolean) => {
  if (paidFrom === undefined && paidBefore === undefined) return () => true;
  return (resource) => {
    const { paidAt } = resource as Order;
    if (paidAt === null || (paidFrom !== undefined && paidAt < paidFrom)) return false;
    return paidBefore === undefined || paidAt < paidBefore;
  };
};
