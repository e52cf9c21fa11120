import { V7Generator } from 'uuidv7';
import type { NewId } from '#application/ports/system.ts';
import type { Id } from '#domain/resource.ts';

/** However far the clock is set back, ids continue from the last one: all 48 bits of their timestamp. */
const maxRollbackMs = 2 ** 48 - 1;

/** How many random numbers are requested from the system at once: one call costs more than the rest of an id. */
const randomBatchSize = 1_024;

/**
 * Generates UUIDs of version 7 (RFC 9562 section 5.7) that ascend within a process, and across processes with the same clock.
 * Node's `randomUUIDv7` uses the machine's clock and promises no order within a millisecond.
 * @param now the time in milliseconds since 1970
 */
export const idGenerator = (now: () => number): NewId => {
  const generator = new V7Generator({ nextUint32: randomNumbers() });
  generator.setRollbackAllowance(maxRollbackMs);
  return <I extends Id>() => generator.generateOrResetWithTs(now()).toString() as I;
};

/** Returns random integers below 2^32. */
const randomNumbers = (): (() => number) => {
  const numbers = new Uint32Array(randomBatchSize);
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
