import type { PageOrder } from '#application/ports/repositories.ts';

/** Committed rows by key, in the order of their keys. */
export class Rows<T extends object> {
  readonly #byKey = new Map<string, T>();
  readonly #keys: string[] = [];
  /** For each indexed field, the keys of the rows that have a value. */
  readonly #indexes: ReadonlyMap<string, Map<unknown, Set<string>>>;

  /** @param indexed the fields that `having` can find by */
  constructor(indexed: readonly string[] = []) {
    this.#indexes = new Map(indexed.map((field) => [field, new Map()]));
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  put(key: string, row: T): void {
    const before = this.#byKey.get(key);
    if (before === undefined) this.#keys.splice(this.#indexOf(key), 0, key);
    else this.#removeFromIndexes(key, before);
    this.#byKey.set(key, row);
    for (const [field, keys] of this.#indexes) {
      const value = row[field as keyof T];
      const having = keys.get(value);
      if (having === undefined) keys.set(value, new Set([key]));
      else having.add(key);
    }
  }

  delete(key: string): void {
    const before = this.#byKey.get(key);
    if (before === undefined) return;
    this.#removeFromIndexes(key, before);
    this.#byKey.delete(key);
    this.#keys.splice(this.#indexOf(key), 1);
  }

  /** The keys of the rows whose indexed field has the value, in no particular order. */
  having(field: string, value: unknown): Iterable<string> {
    return this.#indexes.get(field)?.get(value) ?? [];
  }

  /** Iterates in the order of the keys from the first after `after`, or from the beginning. */
  *walk(after?: string, order: PageOrder = 'ascending'): Generator<readonly [string, T], void, undefined> {
    const step = order === 'ascending' ? 1 : -1;
    for (let index = this.#firstIndex(after, order); index >= 0 && index < this.#keys.length; index += step) {
      const key = this.#keys[index] ?? '';
      const row = this.#byKey.get(key);
      if (row !== undefined) yield [key, row];
    }
  }

  #firstIndex(after: string | undefined, order: PageOrder): number {
    if (order === 'ascending') return after === undefined ? 0 : this.#indexAfter(after);
    return (after === undefined ? this.#keys.length : this.#indexOf(after)) - 1;
  }

  #removeFromIndexes(key: string, row: T): void {
    for (const [field, keys] of this.#indexes) {
      const value = row[field as keyof T];
      const having = keys.get(value);
      if (having?.delete(key) && having.size === 0) keys.delete(value);
    }
  }

  #indexAfter(key: string): number {
    const index = this.#indexOf(key);
    return this.#keys[index] === key ? index + 1 : index;
  }

  /** Binary search for the index of a key, or where it would be inserted. New ids come last, so the end is tried first. */
  #indexOf(key: string): number {
    const last = this.#keys.at(-1);
    if (last === undefined || last < key) return this.#keys.length;
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#keys[middle] ?? '') < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Uncommitted overlay: a unit of work reads its own pending writes over the committed rows. */
export class Draft<T extends object> {
  readonly #committed: Rows<T>;
  /** Undefined marks a deleted row. The map is created by the first write, because most drafts only read. */
  #changes: Map<string, T | undefined> | undefined;

  constructor(committed: Rows<T>) {
    this.#committed = committed;
  }

  get(key: string): T | undefined {
    return this.#changes?.has(key) ? this.#changes.get(key) : this.#committed.get(key);
  }

  /** The rows whose indexed field has the value, in no particular order. */
  having(field: string, value: unknown): T[] {
    const changes = this.#changes;
    const found = Array.from(this.#committed.having(field, value))
      .filter((key) => !changes?.has(key))
      .flatMap((key) => this.#committed.get(key) ?? []);
    for (const row of changes?.values() ?? []) if (row && row[field as keyof T] === value) found.push(row);
    return found;
  }

  /** @param row undefined deletes it */
  put(key: string, row: T | undefined): void {
    this.#changes ??= new Map();
    this.#changes.set(key, row);
  }

  /** Iterates in the order of the keys, from the first after `after`. */
  *walk(after?: string, order: PageOrder = 'ascending'): Generator<T, void, undefined> {
    const changes = this.#changes;
    if (changes === undefined) {
      for (const [, row] of this.#committed.walk(after, order)) yield row;
      return;
    }
    const isBefore = (one: string, other: string): boolean =>
      order === 'ascending' ? one < other : one > other;
    const pending = [...changes]
      .filter(([key]) => after === undefined || isBefore(after, key))
      .sort(([one], [other]) => (isBefore(one, other) ? -1 : 1));
    let next = 0;
    for (const [key, row] of this.#committed.walk(after, order)) {
      for (let entry = pending[next]; entry !== undefined && isBefore(entry[0], key); entry = pending[next]) {
        if (entry[1] !== undefined) yield entry[1];
        next += 1;
      }
      if (!changes.has(key)) yield row;
    }
    for (const [, row] of pending.slice(next)) if (row !== undefined) yield row;
  }

  commit(): void {
    for (const [key, row] of this.#changes ?? []) {
      if (row === undefined) this.#committed.delete(key);
      else this.#committed.put(key, row);
    }
    this.#changes = undefined;
  }
}
