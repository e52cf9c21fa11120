import { idGenerator } from '#adapters/system/ids.ts';
import type { Clock } from '#application/ports/system.ts';
import { Instant } from '#domain/instant.ts';

/** The clock of this machine, for tests that are not about time. */
export const machineClock: Clock = { now: () => Instant.at(Date.now()) };

/** Makes ids as a process does, for tests that are not about ids. */
export const newId = idGenerator(Date.now);
