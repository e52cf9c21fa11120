import type { Rows } from './rows.ts';

/** What one unit of work sees of some rows: the committed ones, with its own changes on top until they are too. */
export class Draft<T> {
  readonly #committed: Rows<T>;
  /** Undefined stands for a row that is gone. Most drafts are never written to, and do without. */
  #changes: Map<string, T | undefined> | undefined;

  constructor(committed: Rows<T>) {
    this.#committed = committed;
  }

  get(key: string): T | undefined {
    return this.#changes?.has(key) ? this.#changes.get(key) : this.#committed.get(key);
  }

  put(key: string, row: T): void {
    this.#change(key, row);
  }

  delete(key: string): void {
    this.#change(key, undefined);
  }

  /** In the order of the keys, from the first behind `after`. */
  *walk(after = ''): Generator<T, void, undefined> {
    const changes = this.#changes;
    if (changes === undefined) {
      for (const [, row] of this.#committed.walk(after)) yield row;
      return;
    }
    const own = [...changes].filter(([key]) => key > after).sort(([one], [other]) => (one < other ? -1 : 1));
    let next = 0;
    for (const [key, row] of this.#committed.walk(after)) {
      for (let entry = own[next]; entry !== undefined && entry[0] < key; entry = own[next]) {
        if (entry[1] !== undefined) yield entry[1];
        next += 1;
      }
      if (!changes.has(key)) yield row;
    }
    for (const [, row] of own.slice(next)) if (row !== undefined) yield row;
  }

  commit(): void {
    for (const [key, row] of this.#changes ?? []) {
      if (row === undefined) this.#committed.delete(key);
      else this.#committed.put(key, row);
    }
    this.#changes = undefined;
  }

  #change(key: string, row: T | undefined): void {
    this.#changes ??= new Map();
    this.#changes.set(key, row);
  }
}
