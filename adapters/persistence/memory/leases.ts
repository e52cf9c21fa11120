import type { Lease, Leases } from '#application/ports/leader-lease.ts';
import type { Instant } from '#domain/instant.ts';
import type { Draft } from './draft.ts';

export class MemoryLeases implements Leases {
  readonly #draft: Draft<Lease>;

  constructor(draft: Draft<Lease>) {
    this.#draft = draft;
  }

  async acquire(duty: Lease, now: Instant, farthest: Instant): Promise<boolean> {
    const current = this.#draft.get(duty.name);
    const isTaken = current !== undefined && current.expiresAt > now && current.expiresAt <= farthest;
    if (isTaken && current.holder !== duty.holder) return false;
    this.#draft.put(duty.name, duty);
    return true;
  }
}
