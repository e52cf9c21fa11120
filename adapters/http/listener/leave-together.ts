/** An answer that has been made. */
interface Ready {
  /** Hands it to the system. */
  leave(): void;
}

let ready: Ready[] = [];

/**
 * Lets all that is ready leave at the end of this turn of the event loop. To hand an answer to the system wakes whoever waits
 * for it, and to wake somebody costs more than to make most answers; whoever has just been woken by the one before, who may
 * be a proxy, the load of a benchmark or the system's own network, is awake. One by one, answers that are made in one turn
 * took twice as long.
 */
export const leaveTogether = (one: Ready): void => {
  if (ready.length === 0) setImmediate(leave);
  ready.push(one);
};

const leave = (): void => {
  const all = ready;
  ready = [];
  for (const each of all) each.leave();
};
