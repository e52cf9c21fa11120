interface Queue {
  /** How many wait for their turn. */
  readonly waiting: number;
  /** How many have had theirs, since the beginning. */
  readonly served: number;
}

/** What has been served between two looks that are further apart, tells nothing of how fast that was. In milliseconds. */
const longestUnseen = 250;

/**
 * How long a newcomer would wait for a turn, in milliseconds. So many wait, and so long it takes from one turn to the
 * next: that is measured, from time to time, by how long those take to be served who wait at that moment. As long as they
 * are not all served, no more is known than that they take at least the time since: many are served at once, so that nobody
 * has been for a while says little.
 */
export const estimateQueueDelay = (queue: () => Queue): (() => number) => {
  let each = 0;
  let begun = 0;
  let servedThen = 0;
  let waitedThen = 0;
  let lookedAt = 0;

  return () => {
    const { waiting, served } = queue();
    if (waiting === 0 && waitedThen === 0) return 0;
    const now = performance.now();
    const done = served - servedThen;
    // For how long there was nobody to serve meanwhile, nobody knows.
    if (done > 0 && now - lookedAt > longestUnseen) waitedThen = 0;
    lookedAt = now;
    if (waitedThen > 0) {
      if (done >= waitedThen) {
        each = (now - begun) / done;
        waitedThen = 0;
      } else each = Math.max(each, (now - begun) / waitedThen);
    }
    if (waitedThen === 0) {
      begun = now;
      servedThen = served;
      waitedThen = waiting;
    }
    return waiting * each;
  };
};
