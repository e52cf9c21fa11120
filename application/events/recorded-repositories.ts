import type { Resource } from '#domain/resource.ts';
import {
  type Collections,
  collectionNames,
  type FoundBy,
  type Page,
  type PageRequest,
  type Repositories,
  type Repository,
} from '../ports/repositories.ts';
import type { ChangeLog } from './change-log.ts';

/**
 * The repositories of a unit of work, of which every read and change of a collection is noted in a log. The loop in the class adds
 * their getters, which its type does not have.
 */
export const recordedRepositories = (inner: Repositories, log: ChangeLog): Repositories =>
  new RecordedRepositories(inner, log) as unknown as Repositories;

/** What is not a collection, and is passed on as it is. */
const others = [
  'idempotencyKeys',
  'productWords',
  'leases',
  'reconciliationTasks',
  'webhookQueue',
  'sales',
  'missingTimes',
  'events',
] as const satisfies readonly Exclude<keyof Repositories, keyof Collections>[];

/** Each repository is made when it is asked for: an operation uses a few of them. */
class RecordedRepositories {
  readonly #inner: Repositories;
  readonly #log: ChangeLog;

  static {
    const define = (name: keyof Repositories, get: (this: RecordedRepositories) => unknown): void => {
      Object.defineProperty(RecordedRepositories.prototype, name, { get, enumerable: true });
    };
    for (const name of collectionNames) {
      define(name, function (this: RecordedRepositories) {
        return new RecordedRepository(name, this.#inner[name] as never, this.#log);
      });
    }
    for (const name of others) {
      define(name, function (this: RecordedRepositories) {
        return this.#inner[name];
      });
    }
  }

  constructor(inner: Repositories, log: ChangeLog) {
    this.#inner = inner;
    this.#log = log;
  }
}

class RecordedRepository<T extends Resource, F> implements Repository<T, F> {
  readonly #collection: keyof Collections;
  readonly #inner: Repository<T, F>;
  readonly #log: ChangeLog;

  constructor(collection: keyof Collections, inner: Repository<T, F>, log: ChangeLog) {
    this.#collection = collection;
    this.#inner = inner;
    this.#log = log;
  }

  find(id: T['id']): Promise<T | undefined> {
    return this.#inner.find(id).then(this.#noted);
  }

  lock(id: T['id']): Promise<T | undefined> {
    return this.#inner.lock(id).then(this.#noted);
  }

  page(filter: F, request: PageRequest<T['id']>): Promise<Page<T>> {
    return this.#inner.page(filter, request).then((page) => {
      this.#noteAll(page.rows);
      return page;
    });
  }

  findBy<N extends keyof FoundBy<T, F> & string>(
    field: N,
    values: readonly NonNullable<FoundBy<T, F>[N]>[],
  ): Promise<readonly T[]> {
    return this.#inner.findBy(field, values).then(this.#notedAll);
  }

  firstBy<N extends keyof F & string>(
    field: N,
    values: readonly NonNullable<F[N]>[],
    limit: number,
  ): Promise<readonly T[]> {
    return this.#inner.firstBy(field, values, limit).then(this.#notedAll);
  }

  lockBy<N extends keyof FoundBy<T, F> & string>(
    field: N,
    values: readonly NonNullable<FoundBy<T, F>[N]>[],
  ): Promise<readonly T[]> {
    return this.#inner.lockBy(field, values).then(this.#notedAll);
  }

  add(resource: T): Promise<void> {
    this.#log.write(this.#collection, resource);
    return this.#inner.add(resource);
  }

  addAll(resources: readonly T[]): Promise<void> {
    for (const resource of resources) this.#log.write(this.#collection, resource);
    return this.#inner.addAll(resources);
  }

  async save(resource: T): Promise<void> {
    await this.#readUnread([resource]);
    this.#log.write(this.#collection, resource);
    await this.#inner.save(resource);
  }

  async saveAll(resources: readonly T[]): Promise<void> {
    await this.#readUnread(resources);
    for (const resource of resources) this.#log.write(this.#collection, resource);
    await this.#inner.saveAll(resources);
  }

  async remove(id: T['id']): Promise<void> {
    // The lock keeps its last version from changing: the event has it.
    const before = await this.#inner.lock(id);
    if (before !== undefined) this.#log.remove(this.#collection, before);
    await this.#inner.remove(id);
  }

  /** Finds what is changed and was never read, because an event names what has changed. Most changes follow a lock. */
  async #readUnread(resources: readonly T[]): Promise<void> {
    const unread = resources.filter(({ id }) => this.#log.known(this.#collection, id) === undefined);
    if (unread.length > 0)
      await this.findBy(
        'id',
        unread.map(({ id }) => id as NonNullable<FoundBy<T, F>['id']>),
      );
  }

  readonly #noted = (resource: T | undefined): T | undefined => {
    if (resource !== undefined) this.#log.read(this.#collection, resource);
    return resource;
  };

  readonly #notedAll = (resources: readonly T[]): readonly T[] => {
    this.#noteAll(resources);
    return resources;
  };

  #noteAll(resources: readonly T[]): void {
    for (const resource of resources) this.#log.read(this.#collection, resource);
  }
}
