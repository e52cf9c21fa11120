import type { ChargeOutcomeDependencies } from '../payments/apply-charge-outcome.ts';
import type { Clock } from '../ports/system.ts';
import type { LookUpObserver } from './observer.ts';

export interface MovementDependencies extends ChargeOutcomeDependencies {
  readonly clock: Clock;
  /** May be called again for the same when the unit of work is run again. */
  readonly warn: LookUpObserver['warn'];
}
