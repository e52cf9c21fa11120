/** Committed rows, found by their key and walked in its order. */
export class Rows<T> {
  readonly #byKey = new Map<string, T>();
  readonly #keys: string[] = [];

  get(key: string): T | undefined {
    return this.#byKey.get(key);
  }

  put(key: string, row: T): void {
    if (!this.#byKey.has(key)) this.#keys.splice(this.#placeOf(key), 0, key);
    this.#byKey.set(key, row);
  }

  delete(key: string): void {
    if (this.#byKey.delete(key)) this.#keys.splice(this.#placeOf(key), 1);
  }

  /** From the first key behind `after`. */
  *walk(after?: string): Generator<readonly [string, T], void, undefined> {
    for (
      let place = after === undefined ? 0 : this.#placeBehind(after);
      place < this.#keys.length;
      place += 1
    ) {
      const key = this.#keys[place] ?? '';
      const row = this.#byKey.get(key);
      if (row !== undefined) yield [key, row];
    }
  }

  #placeBehind(key: string): number {
    const place = this.#placeOf(key);
    return this.#keys[place] === key ? place + 1 : place;
  }

  /** Where the key stands, or would stand. New ids come last, so that is looked at first. */
  #placeOf(key: string): number {
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
