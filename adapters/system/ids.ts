import { V7Generator } from 'uuidv7';
import type { NewId } from '#application/ports/system.ts';
import type { Id } from '#domain/id.ts';

/** All milliseconds that an id has room for: however far the clock is put back, ids go on from the last one. */
const everyRollback = 2 ** 48 - 1;

/**
 * Ids that carry a clock's time, so that those of processes with one clock are in the order of their making too.
 * Node's own `randomUUIDv7` takes this machine's time, and promises no order within a millisecond.
 * @param now the time in milliseconds since 1970
 */
export const newIdBy = (now: () => number): NewId => {
  const generator = new V7Generator({ nextUint32: randomNumbers() });
  generator.setRollbackAllowance(everyRollback);
  return <I extends Id>() => generator.generateOrResetWithTs(now()).toString() as I;
};

/** Whole numbers below 2^32. The system is asked for many at once, for a question costs more than all the rest of an id. */
const randomNumbers = (): (() => number) => {
  const numbers = new Uint32Array(1_024);
  let next = numbers.length;
  return () => {
    if (next === numbers.length) {
      crypto.getRandomValues(numbers);
      next = 0;
    }
    const number = numbers[next] ?? 0;
    next += 1;
    return number;
  };
};
