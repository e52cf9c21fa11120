/**
 * A number of JSON that a double cannot hold exactly. It is no number for any codec, so that no amount is rounded silently, and knows on
 * which side of a bound it is. Its properties are hidden, so that it has no names of its own.
 */
export class InexactNumber {
  readonly #nearest: number;

  /** @param nearest the double that is nearest, which can be infinite, and 0 for one that is almost 0 */
  constructor(nearest: number) {
    this.#nearest = nearest;
  }

  get nearest(): number {
    return this.#nearest;
  }

  toJSON(): null {
    return null;
  }
}
