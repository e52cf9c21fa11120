import { idGenerator } from '#adapters/system/ids.ts';
import type { Clock } from '#application/ports/system.ts';
import { Instant } from '#domain/instant.ts';

/** This machine's clock, for tests that are not about time. */
export const machineClock: Clock = { now: () => Instant.at(Date.now()) };

/** Ids as a process makes them, for tests that are not about ids. */
export const newId = idGenerator(Date.now);
