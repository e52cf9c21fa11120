import type { Instant } from '#domain/instant.ts';

/** A leader lease: at most one of the processes that share a store holds it at a time. */
export interface Lease {
  readonly name: string;
  /** The name of the leader. It is unique to one process. */
  readonly holder: string;
  /** When another process can acquire the lease. */
  readonly expiresAt: Instant;
}

export interface Leases {
  /**
   * Acquires the lease, or renews it, unless another holder's lease has not expired. Of concurrent calls by several
   * holders, exactly one succeeds. A stored lease that expires later than plausible counts as expired.
   * @returns whether the holder has the lease until it expires
   */
  acquire(lease: Lease, now: Instant): Promise<boolean>;
}
