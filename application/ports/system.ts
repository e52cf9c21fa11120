import { Instant } from '#domain/instant.ts';
import type { Id } from '#domain/resource.ts';

export interface Clock {
  /** The current time. Every expiry (key, lease, order lifetime) is decided by it. */
  now(): Instant;
}

/**
 * Makes a new UUIDv7. No two ids are ever equal. Of two ids made in one process, the later sorts after the earlier.
 */
export type NewId = <I extends Id>() => I;

/** Maximum clock skew between processes that share a store, in milliseconds, with a generous margin. */
const maxClockSkewMs = 60_000;

/**
 * Latest plausible expiry of a lease, or of another wait. One that expires later was written before the clock was set back, and
 * counts as expired: nothing waits for it.
 * @param newExpiry when one that begins now expires
 */
export const latestPlausibleExpiry = (newExpiry: Instant): Instant => Instant.plus(newExpiry, maxClockSkewMs);
