import type { ChargeOutcomeDependencies } from '../payments/apply-charge-outcome.ts';
import type { Clock } from '../ports/system.ts';
import type { ReconciliationObserver } from './observer.ts';

export interface SnapshotDependencies extends ChargeOutcomeDependencies {
  readonly clock: Clock;
  /** May be called again for the same when the unit of work is run again. */
  readonly warn: ReconciliationObserver['warn'];
}
