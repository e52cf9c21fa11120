import { Random } from '#test/support/random.ts';

/**
 * - `fail`: responds with 500 before anything is done or stored
 * - `failAfter`: does it, then stores and returns a 500
 * - `drop`: does it, and closes the connection without a response
 * - `dropBefore`: closes the connection before anything is done
 * - `stall`: does it, and responds late
 * - `busy`: responds with 429 before anything is done, because another request uses the object
 */
const incidents = ['dropBefore', 'fail', 'failAfter', 'drop', 'stall', 'busy'] as const;
type Incident = (typeof incidents)[number];
export type Fate = Incident | 'ok';

/** How often each happens, from 0 to 1, with a seed by which it happens again in the same way. */
export type NetworkFaults = Partial<Record<Incident, number>> & {
  readonly seed?: number;
  readonly stallMilliseconds?: number;
  readonly delayMilliseconds?: number;
  /** For how many turns of the event loop each request is under way, so that another can meet it. */
  readonly delayTurns?: number;
};

export class FaultPlan {
  #wanted: NetworkFaults = {};
  #random = new Random(1);
  #script: Fate[] = [];

  set wanted(wanted: NetworkFaults) {
    this.#wanted = wanted;
    this.#random = new Random(wanted.seed ?? 1);
  }

  /** What happens to the next requests that move money, one each, before these faults count. */
  set script(next: readonly Fate[]) {
    this.#script = [...next];
  }

  get stallMilliseconds(): number {
    return this.#wanted.stallMilliseconds ?? 500;
  }

  /** How long each request is carried out. */
  get delayMilliseconds(): number {
    return this.#wanted.delayMilliseconds ?? 0;
  }

  get delayTurns(): number {
    return this.#wanted.delayTurns ?? 0;
  }

  next(movesMoney: boolean): Fate {
    const scripted = movesMoney ? this.#script.shift() : undefined;
    if (scripted !== undefined) return scripted;
    let chance = this.#random.next();
    for (const incident of incidents) {
      chance -= this.#wanted[incident] ?? 0;
      if (chance < 0) return incident;
    }
    return 'ok';
  }
}
