/** Gets what a sequencer does, for metrics. */
export interface NumberingObserver {
  /**
   * Events were numbered.
   * @param delayMs how long the first of those that this process has committed has waited; undefined when none of them is its own
   */
  numbered(count: number, delayMs?: number): void;
  /** @param since when the oldest unnumbered event of this process was committed, in milliseconds of `performance`; undefined: none waits */
  waiting(since: number | undefined): void;
}
