import type { IdempotencyRecord, IdempotencyStore } from '#application/ports/idempotency.ts';
import type { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import type { Draft } from './draft.ts';

/** How many are forgotten in one go. */
const batch = 100;

export class MemoryIdempotencyKeys implements IdempotencyStore {
  readonly #draft: Draft<IdempotencyRecord>;

  constructor(draft: Draft<IdempotencyRecord>) {
    this.#draft = draft;
  }

  async find(userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    return this.#draft.get(placeOf(userId, key));
  }

  lock(userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    return this.find(userId, key);
  }

  async add(remembered: IdempotencyRecord): Promise<void> {
    this.#draft.put(placeOf(remembered.userId, remembered.key), remembered);
  }

  async save(remembered: IdempotencyRecord): Promise<void> {
    this.#draft.put(placeOf(remembered.userId, remembered.key), remembered);
  }

  async remove(userId: UserId, key: string): Promise<void> {
    this.#draft.delete(placeOf(userId, key));
  }

  async findStale(
    createdBefore: Instant,
    leaseBefore: Instant,
    limit: number,
    farthest = never,
  ): Promise<IdempotencyRecord[]> {
    const isOver = (time: Instant, before: Instant): boolean => time <= before || time > farthest;
    return [...this.#draft.walk()]
      .flatMap((remembered) => {
        const lease = leaseOf(remembered);
        return lease === null ? [] : [{ remembered, lease }];
      })
      .filter(
        ({ remembered, lease }) => isOver(remembered.createdAt, createdBefore) && isOver(lease, leaseBefore),
      )
      .sort((one, other) => (one.lease < other.lease ? -1 : 1))
      .slice(0, limit)
      .map(({ remembered }) => remembered);
  }

  async deleteExpired(createdBefore: Instant): Promise<boolean> {
    const forgotten = [...this.#draft.walk()]
      .filter((remembered) => remembered.createdAt <= createdBefore && leaseOf(remembered) === null)
      .slice(0, batch);
    for (const { userId, key } of forgotten) this.#draft.delete(placeOf(userId, key));
    return forgotten.length === batch;
  }
}

const placeOf = (userId: UserId, key: string): string => `${userId} ${key}`;

/** Later than any instant. */
const never = '~' as Instant;

const leaseOf = ({ lease: undertaking }: IdempotencyRecord): Instant | null =>
  undertaking?.leaseUntil ?? null;
