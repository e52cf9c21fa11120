/** How long a text stays known, in milliseconds: until then a word that becomes whole is found one round trip later. */
const ttlMs = 30_000;

/** Bounds the memory of the texts. */
const maxTexts = 1_000;

/** Texts of terms that were lately found to be more than one whole word. Only the plan of a search depends on them. */
export class RecentPrefixes {
  /** When each was added, the oldest first. */
  readonly #addedAt = new Map<string, number>();

  /** @param now on the clock of `performance.now()` */
  has(text: string, now: number): boolean {
    const addedAt = this.#addedAt.get(text);
    return addedAt !== undefined && now - addedAt < ttlMs;
  }

  add(text: string, now: number): void {
    this.#addedAt.delete(text);
    this.#addedAt.set(text, now);
    const [oldest] = this.#addedAt.keys();
    if (this.#addedAt.size > maxTexts && oldest !== undefined) this.#addedAt.delete(oldest);
  }
}
