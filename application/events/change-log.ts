import type { OrderId, OrderItem } from '#domain/order.ts';
import type { Resource } from '#domain/resource.ts';
import type { Collections } from '../ports/repositories.ts';
import type { Change, UnitChanges } from './declarations.ts';

type CollectionName = keyof Collections;

/** One change of a unit of work. */
export interface RecordedChange extends Change<Resource> {
  readonly collection: CollectionName;
}

/** What one unit of work has read and changed, in the order of the changes. */
export class ChangeLog implements UnitChanges {
  /** By collection, because the progress of a webhook endpoint has the id of its endpoint. */
  readonly #known = new Map<CollectionName, Map<Resource['id'], Resource>>();
  readonly #changed = new Set<CollectionName>();
  readonly changes: RecordedChange[] = [];

  readonly hasChanged = (collection: CollectionName): boolean => this.#changed.has(collection);

  /** Notes a resource as it was read. */
  read(collection: CollectionName, resource: Resource): void {
    this.#of(collection).set(resource.id, resource);
  }

  /** The resource as the unit of work knows it; undefined where it has neither read nor written it. */
  known(collection: CollectionName, id: Resource['id']): Resource | undefined {
    return this.#known.get(collection)?.get(id);
  }

  write(collection: CollectionName, after: Resource): void {
    this.#add({ collection, before: this.known(collection, after.id), after });
    this.read(collection, after);
  }

  remove(collection: CollectionName, before: Resource): void {
    this.#add({ collection, before, after: undefined });
    this.#of(collection).delete(before.id);
  }

  /** The items of orders that are new, each at its last version. */
  itemsAdded(): readonly OrderItem[] {
    const items = this.#items().flatMap(({ after }) => (after ? [after as OrderItem] : []));
    return [...new Map(items.map((item) => [item.id, item])).values()];
  }

  hasChangedItemsOf(orderId: OrderId): boolean {
    return this.#items().some(({ before, after }) => (after ?? (before as OrderItem)).orderId === orderId);
  }

  #of(collection: CollectionName): Map<Resource['id'], Resource> {
    let known = this.#known.get(collection);
    if (known === undefined) {
      known = new Map();
      this.#known.set(collection, known);
    }
    return known;
  }

  #items(): readonly Change<OrderItem>[] {
    return this.changes.filter(
      ({ collection }) => collection === 'orderItems',
    ) as Change<Resource>[] as Change<OrderItem>[];
  }

  #add(change: RecordedChange): void {
    this.#changed.add(change.collection);
    this.changes.push(change);
  }
}
