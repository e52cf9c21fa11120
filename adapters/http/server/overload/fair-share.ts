/** How long others may come before those who wait have their share of the time at all, in milliseconds. */
const gracePeriodMs = 20;

/** How many times as much as all others together they have of it: four fifths. */
const queueWeight = 4;

/**
 * Shares the time of one turn of the event loop. When thousands come at once, reading them and refusing most takes it for so
 * long that next to nothing is left for those who have been let in and wait for the end of the turn: so they begin in
 * between, one at each arrival, as long as they have had less than their share.
 */
export class FairShare {
  #asked = 0;
  /** How much time is owed to those who wait, in milliseconds. */
  #owed = 0;
  #isTheirs = false;

  /** A turn has ended. */
  endTurn(): void {
    this.#asked = 0;
  }

  /** Somebody comes while others wait. @returns whether one of these is to begin now */
  isDue(): boolean {
    const now = performance.now();
    if (this.#asked === 0) this.#owed = -queueWeight * gracePeriodMs;
    else this.#owed += (now - this.#asked) * (this.#isTheirs ? -1 : queueWeight);
    this.#asked = now;
    this.#isTheirs = this.#owed > 0;
    return this.#isTheirs;
  }
}
