import type { LookUpObserver } from '../look-ups/observer.ts';
import type { Clock, NewId } from '../ports/system.ts';

export interface MovementDependencies {
  readonly clock: Clock;
  readonly newId: NewId;
  /** May be called again for the same when the unit of work is run again. */
  readonly warn: LookUpObserver['warn'];
}
