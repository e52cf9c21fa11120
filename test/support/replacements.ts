/** Methods that are replaced until the end of a test. `mock.method` keeps a stack of each call, which a clock cannot afford. */
export class Replacements {
  readonly #restore: (() => void)[] = [];

  replace<T extends object>(
    object: T,
    name: keyof T & string,
    method: (this: T, ...parameters: never[]) => unknown,
  ): void {
    const own = Object.getOwnPropertyDescriptor(object, name);
    Object.defineProperty(object, name, { value: method, configurable: true, writable: true });
    this.#restore.push(() =>
      own === undefined ? Reflect.deleteProperty(object, name) : Object.defineProperty(object, name, own),
    );
  }

  /** Restores what was there before, the last replacement first. */
  end(): void {
    for (let restore = this.#restore.pop(); restore; restore = this.#restore.pop()) restore();
  }
}
