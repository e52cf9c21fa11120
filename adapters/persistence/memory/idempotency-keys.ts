import type { IdempotencyRecord, IdempotencyStore, StaleQuery } from '#application/ports/idempotency.ts';
import { latestPlausibleExpiry } from '#application/ports/system.ts';
import { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import type { Draft } from './rows.ts';

/** Maximum number of keys that one purge deletes. */
const purgeBatchSize = 100;

export class MemoryIdempotencyKeys implements IdempotencyStore {
  readonly #draft: Draft<IdempotencyRecord>;

  constructor(draft: Draft<IdempotencyRecord>) {
    this.#draft = draft;
  }

  async find(userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    return this.#draft.get(draftKey(userId, key));
  }

  lock(userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    return this.find(userId, key);
  }

  async add(record: IdempotencyRecord): Promise<void> {
    this.#draft.put(draftKey(record.userId, record.key), record);
  }

  async save(record: IdempotencyRecord): Promise<void> {
    this.#draft.put(draftKey(record.userId, record.key), record);
  }

  async remove(userId: UserId, key: string): Promise<void> {
    this.#draft.delete(draftKey(userId, key));
  }

  async findStale({ createdBefore, now, leaseMs, limit }: StaleQuery): Promise<IdempotencyRecord[]> {
    const latest = latestPlausibleExpiry(Instant.plus(now, leaseMs));
    const hasPassed = (time: Instant, before: Instant): boolean => time <= before || time > latest;
    return [...this.#draft.walk()]
      .flatMap((record) => {
        const lease = leaseOf(record);
        return lease === null ? [] : [{ record, lease }];
      })
      .filter(({ record, lease }) => hasPassed(record.createdAt, createdBefore) && hasPassed(lease, now))
      .sort((one, other) => (one.lease < other.lease ? -1 : 1))
      .slice(0, limit)
      .map(({ record }) => record);
  }

  async deleteExpired(createdBefore: Instant): Promise<boolean> {
    const purged = [...this.#draft.walk()]
      .filter((record) => record.createdAt <= createdBefore && leaseOf(record) === null)
      .slice(0, purgeBatchSize);
    for (const { userId, key } of purged) this.#draft.delete(draftKey(userId, key));
    return purged.length === purgeBatchSize;
  }
}

const draftKey = (userId: UserId, key: string): string => `${userId} ${key}`;

const leaseOf = ({ lease }: IdempotencyRecord): Instant | null => lease?.leaseUntil ?? null;
