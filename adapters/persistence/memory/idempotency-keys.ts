import { ConcurrencyConflict, ConstraintRace } from '#application/errors.ts';
import { entryOf, statusOf } from '#application/idempotency/key-resource.ts';
import type {
  IdempotencyEntry,
  IdempotencyFilter,
  IdempotencyKeyId,
  IdempotencyRecord,
  IdempotencyStore,
  StaleQuery,
} from '#application/ports/idempotency.ts';
import { Page, type PageRequest } from '#application/ports/page.ts';
import { latestPlausibleExpiry } from '#application/ports/system.ts';
import { Instant } from '#domain/instant.ts';
import type { Id } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';
import type { Reject } from './repository.ts';
import type { Draft } from './rows.ts';

/** Maximum number of keys that one purge deletes. */
const purgeBatchSize = 100;

export class MemoryIdempotencyKeys implements IdempotencyStore {
  readonly #draft: Draft<IdempotencyRecord>;
  readonly #reject: Reject;

  constructor(draft: Draft<IdempotencyRecord>, reject: Reject) {
    this.#draft = draft;
    this.#reject = reject;
  }

  async find(userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    return this.#draft.get(draftKey(userId, key));
  }

  lock(userId: UserId, key: string): Promise<IdempotencyRecord | undefined> {
    return this.find(userId, key);
  }

  async add(record: IdempotencyRecord): Promise<void> {
    const key = draftKey(record.userId, record.key);
    if (this.#draft.get(key) !== undefined) this.#reject(new ConstraintRace('idempotency_keys_pkey'));
    this.#draft.put(key, record);
  }

  async save(record: IdempotencyRecord): Promise<void> {
    const key = draftKey(record.userId, record.key);
    if (this.#draft.get(key) === undefined)
      this.#reject(new ConcurrencyConflict('The record does not exist any more.'));
    this.#draft.put(key, record);
  }

  async remove(userId: UserId, key: string): Promise<void> {
    this.#draft.put(draftKey(userId, key), undefined);
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

  async findMentioning(ids: readonly Id[], limit: number): Promise<IdempotencyRecord[]> {
    const mentions = (record: IdempotencyRecord, id: Id): boolean =>
      (record.userId as Id) === id ||
      record.response?.includes(id) === true ||
      (record.resource?.path.includes(id) === true && record.resource.requestId !== null);
    return [...this.#draft.walk()]
      .filter((record) => leaseOf(record) === null && ids.some((id) => mentions(record, id)))
      .slice(0, limit);
  }

  async findById(id: IdempotencyKeyId): Promise<IdempotencyEntry | undefined> {
    for (const record of this.#draft.walk()) if (record.resource?.id === id) return entryOf(record);
    return undefined;
  }

  async page(
    { userId, status, expiredBefore, ...times }: IdempotencyFilter,
    { after, limit, order = 'ascending' }: PageRequest<IdempotencyKeyId>,
  ): Promise<Page<IdempotencyEntry>> {
    const sign = order === 'ascending' ? 1 : -1;
    const compare = (one: Id, other: Id): number => sign * (one < other ? -1 : Number(one > other));
    const isListed = (entry: IdempotencyEntry | undefined): entry is IdempotencyEntry => {
      if (entry === undefined || entry.userId !== userId) return false;
      if (after !== undefined && compare(entry.resource.id, after) <= 0) return false;
      const found = statusOf(entry.lease, times);
      if (found === 'completed' && entry.createdAt <= expiredBefore) return false;
      return status === undefined || status === found;
    };
    const entries = [...this.#draft.walk()].map(entryOf).filter(isListed);
    entries.sort((one, other) => compare(one.resource.id, other.resource.id));
    return Page.of(entries, limit);
  }

  async deleteExpired(createdBefore: Instant): Promise<boolean> {
    const purged = [...this.#draft.walk()]
      .filter((record) => record.createdAt <= createdBefore && leaseOf(record) === null)
      .slice(0, purgeBatchSize);
    for (const { userId, key } of purged) this.#draft.put(draftKey(userId, key), undefined);
    return purged.length === purgeBatchSize;
  }
}

const draftKey = (userId: UserId, key: string): string => `${userId} ${key}`;

const leaseOf = ({ lease }: IdempotencyRecord): Instant | null => lease?.leaseUntil ?? null;
