import { likelyAlone } from '#adapters/support/alone.ts';

/** An answer that has been made. */
interface Ready {
  /** Hands it to the system. */
  leave(): void;
}

/** So many need not wait for more, nor for the end of a turn in which thousands are refused. */
const enough = 64;

let ready: Ready[] = [];

/** Lets it leave now. */
export const leave = (): void => {
  const all = ready;
  ready = [];
  for (const each of all) each.leave();
};

const isAlone = likelyAlone(leave);

/**
 * Lets all that is ready leave at the end of this turn of the event loop, or as soon as there is enough of it. To hand an
 * answer to the system wakes whoever waits for it, and that costs as much as all else that is done for a short one; whoever
 * has just been woken by the one before is awake. One by one, 32 clients were answered half as fast. A client who is alone
 * has nobody to wait for, and would get each answer later: so where there was one only, the next leaves at once.
 */
export const leaveTogether = (one: Ready): void => {
  if (isAlone()) {
    one.leave();
    return;
  }
  ready.push(one);
  if (ready.length === enough) leave();
};
