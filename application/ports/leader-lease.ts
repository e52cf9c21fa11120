import type { Instant } from '#domain/instant.ts';

/** What one process at a time does for all that share a store. */
export interface Lease {
  readonly name: string;
  /** Whoever does it; no two processes have the same name. */
  readonly holder: string;
  /** Until when nobody else takes it over. */
  readonly expiresAt: Instant;
}

export interface Leases {
  /**
   * Takes the duty, or keeps it, unless it is somebody else's now.
   * @param farthest beyond it nobody's duty can last
   * @returns whether it is the holder's, until then
   */
  acquire(duty: Lease, now: Instant, farthest: Instant): Promise<boolean>;
}
