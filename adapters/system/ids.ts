import { V7Generator } from 'uuidv7';
import type { Clock } from '#application/ports/clock.ts';
import type { NewId } from '#application/ports/ids.ts';
import type { Id } from '#domain/id.ts';
import { Instant } from '#domain/instant.ts';

/** All milliseconds that an id has room for: however far the clock is put back, ids go on from the last one. */
const everyRollback = 2 ** 48 - 1;

/**
 * Ids that carry the clock's time, so that those of processes with one clock are in the order of their making too.
 * Node's own `randomUUIDv7` takes this machine's time, and promises no order within a millisecond.
 */
export const newIdBy = (clock: Clock): NewId => {
  const generator = new V7Generator();
  generator.setRollbackAllowance(everyRollback);
  return <I extends Id>() =>
    generator.generateOrResetWithTs(Instant.milliseconds(clock.now())).toString() as I;
};
