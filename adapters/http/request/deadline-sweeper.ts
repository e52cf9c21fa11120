import { Crowd, type Member } from '#adapters/support/swap-remove-set.ts';

/** Between two looks at what is under way, in milliseconds: nobody is told later than that. */
const glance = 25;

/**
 * Sees to it that nothing takes longer than it may. One timer goes round and looks at all there is: hardly anything ever
 * is late, and a timer of its own would be the dearest part of a short request.
 */
export class Deadlines<T> {
  readonly #endOf: (of: T) => number;
  readonly #late: (of: T) => void;
  readonly #all = new Crowd<T>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param endOf when it has to be over, on the scale of `performance.now()`
   * @param late told of each that is not, at every look from then on until it is
   */
  constructor(endOf: (of: T) => number, late: (of: T) => void) {
    this.#endOf = endOf;
    this.#late = late;
  }

  add(of: T): Member<T> {
    this.#timer ??= setTimeout(this.#look, glance).unref();
    return this.#all.add(of);
  }

  remove(member: Member<T>): void {
    this.#all.remove(member);
  }

  readonly #look = (): void => {
    this.#timer = this.#all.size > 0 ? setTimeout(this.#look, glance).unref() : undefined;
    const now = performance.now();
    for (const of of this.#all.all) if (now >= this.#endOf(of)) this.#late(of);
  };
}
