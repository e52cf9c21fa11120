import { Instant } from '#domain/instant.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';

/** The name of the lease of the one process that delivers. */
const leaseName = 'webhooks';

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
}

/**
 * Acquires or renews the lease of the process that delivers.
 * @param holder the unique name of this process
 * @param ttlMs how long no other process can acquire it, in milliseconds; 0 releases it
 */
export const acquireWebhookLease = (
  { unitOfWork, clock }: Dependencies,
  holder: string,
  ttlMs: number,
): Promise<boolean> =>
  unitOfWork.run(({ leases }) => {
    const now = clock.now();
    return leases.acquire({ name: leaseName, holder, expiresAt: Instant.plus(now, ttlMs) }, now);
  });
