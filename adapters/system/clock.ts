import type { Clock } from '#application/ports/clock.ts';
import { Instant } from '#domain/instant.ts';

/** This machine's clock. */
export const systemClock: Clock = { now: () => Instant.at(Date.now()) };
