/** What is left of an expectation each time that fewer come. */
const fading = 0.9;

/** How long it pays to wait: for so much of the time that the last commit took, and so many milliseconds at the most. */
const share = 0.5;
const longest = 1;

/**
 * How many are likely to come before a commit, and how long it pays to wait for them. Whoever was answered by the last one
 * often asks for something else at once. They are on their way when the next group begins, and without them it would be
 * over before they come: then they wait for its commit and for their own.
 */
export class Expected {
  #count = 0;
  #patience = 0;

  /** @param count those who shared the last commit, and who were left waiting behind it @param took in milliseconds */
  came(count: number, took: number): void {
    this.#count = Math.max(count, this.#count * fading);
    this.#patience = Math.min(took * share, longest);
  }

  /** @param waited how long those who are there have waited for others, in milliseconds */
  isWorthWaiting(count: number, waited: number): boolean {
    return count < this.#count && waited < this.#patience;
  }
}
