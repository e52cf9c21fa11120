import {
  type Collections,
  collectionNames,
  type Repository,
  type StoreRepositories,
} from '#application/ports/repositories.ts';
import type { NewEvent } from '#domain/event.ts';
import type { Order } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import type { Product } from '#domain/product.ts';
import type { Resource } from '#domain/resource.ts';
import { replacing } from './replacing.ts';

interface Written {
  readonly collection: keyof Collections;
  readonly before: Resource | undefined;
  readonly after: Resource;
}

/** Which versions have an event, in words of the contract and apart from the declarations of the application. */
const isTold = ({ collection, before, after }: Written, all: readonly Written[]): boolean => {
  if (collection === 'products') {
    const isOfOrder = before !== undefined && all.some((one) => one.collection === 'orders');
    const [old, now] = [before as Product | undefined, after as Product];
    // Stock that is only taken or given back, unless it reaches or leaves 0.
    return !isOfOrder || (old?.stock !== now.stock && (old?.stock === 0 || now.stock === 0));
  }
  // A payment that begins, and the lock of its order.
  if (collection === 'orders') return !((after as Order).paying && !(before as Order | undefined)?.paying);
  if (collection === 'payments') return before !== undefined || (after as Payment).status !== 'pending';
  return ['users', 'refunds', 'disputes', 'reviews', 'stockChanges'].includes(collection);
};

const versionOf = (id: Resource['id'], version: number): string => `${id} at version ${version}`;

/** Watches that a unit of work appends exactly one event for every version that has one, and no other. A removal is a version. */
export class EventWatch {
  readonly #written: Written[] = [];
  readonly #events: NewEvent[] = [];

  /** The repositories of a unit of work, whose writes are noted. */
  around(repositories: StoreRepositories): Pick<StoreRepositories, keyof Collections | 'events'> {
    const watched = collectionNames.map((name) => [name, this.#watch(name, repositories[name] as never)]);
    return {
      ...(Object.fromEntries(watched) as unknown as Pick<StoreRepositories, keyof Collections>),
      events: replacing(repositories.events, {
        append: (events) => {
          this.#events.push(...events);
          return repositories.events.append(events);
        },
      }),
    };
  }

  /** What is wrong with the events of the unit of work, when it commits. */
  get breaches(): readonly string[] {
    const wanted = this.#written
      .filter((one) => isTold(one, this.#written))
      .map(({ after }) => versionOf(after.id, after.version));
    const appended = this.#events.map(({ subject }) => versionOf(subject.id, subject.version));
    return [
      ...wanted
        .filter((one) => !appended.includes(one))
        .map((one) => `${one} has no event in its transaction.`),
      ...appended.filter((one) => !wanted.includes(one)).map((one) => `${one} has an event for no change.`),
      ...appended
        .filter((one, index) => appended.indexOf(one) !== index)
        .map((one) => `${one} has several events.`),
    ];
  }

  #watch<T extends Resource>(
    collection: keyof Collections,
    of: Repository<T, object>,
  ): Repository<T, object> {
    const note = async (resources: readonly T[]): Promise<void> => {
      for (const after of resources) {
        const before =
          this.#written.findLast((one) => one.after.id === after.id)?.after ?? (await of.find(after.id));
        this.#written.push({ collection, before, after });
      }
    };
    return replacing(of, {
      add: (resource) => note([resource]).then(() => of.add(resource)),
      addAll: (resources) => note(resources).then(() => of.addAll(resources)),
      save: (resource) => note([resource]).then(() => of.save(resource)),
      saveAll: (resources) => note(resources).then(() => of.saveAll(resources)),
      remove: async (id) => {
        const before = await of.find(id);
        if (before !== undefined)
          this.#written.push({ collection, before, after: { ...before, version: before.version + 1 } });
        await of.remove(id);
      },
    });
  }
}
