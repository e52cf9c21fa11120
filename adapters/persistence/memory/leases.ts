import type { Duties, Duty } from '#application/ports/leader-lease.ts';
import type { Instant } from '#domain/instant.ts';
import type { Draft } from './draft.ts';

export class MemoryLeases implements Duties {
  readonly #draft: Draft<Duty>;

  constructor(draft: Draft<Duty>) {
    this.#draft = draft;
  }

  async take(duty: Duty, now: Instant, farthest: Instant): Promise<boolean> {
    const current = this.#draft.get(duty.name);
    const isTaken = current !== undefined && current.until > now && current.until <= farthest;
    if (isTaken && current.holder !== duty.holder) return false;
    this.#draft.put(duty.name, duty);
    return true;
  }
}
