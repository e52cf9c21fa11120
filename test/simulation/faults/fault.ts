import type { Planted } from '../simulation.ts';

export interface Fault {
  readonly planted: Planted;
  /** The failure that shows this fault. Any other failure may be a mistake in the planting. */
  readonly sign: RegExp;
}
