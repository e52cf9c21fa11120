import { Instant } from '#domain/instant.ts';
import type { Id, Resource } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';
import { idempotencyKeyLifetimeMs } from '../idempotency/idempotency.ts';
import { leaseTimes, versionAt } from '../idempotency/idempotency-record.ts';
import { entryOf, statusOf } from '../idempotency/key-resource.ts';
import type {
  IdempotencyEntry,
  IdempotencyFilter,
  IdempotencyKeyId,
  IdempotencyReader,
  KeyStatus,
} from '../ports/idempotency.ts';
import { Page, type PageRequest } from '../ports/page.ts';
import type { Clock } from '../ports/system.ts';
import { isAdmin, requireFound, requireOwnerOrAdmin } from '../preconditions.ts';
import { query } from '../use-case.ts';

/** What became of a request with an idempotency key, without its body and its response. */
export interface IdempotencyKey extends Resource<IdempotencyKeyId> {
  readonly userId: UserId;
  /** Null once it is erased: a client may have named its user in it. Its record keeps it until it expires. */
  readonly key: string | null;
  readonly status: KeyStatus;
  /** Method and path of the first request. */
  readonly method: string;
  readonly path: string;
  /** Of the first request; null once it is erased. */
  readonly requestId: string | null;
  /** How often the operation was begun: a retry or the reconciler begins it again, while a replay does not. */
  readonly attemptCount: number;
  /** As `IdempotencyEntry` has it. */
  readonly responseStart: string | null;
  /** What is or was under way at the provider; null when the operation calls none. */
  readonly process: { readonly name: string; readonly subject: Id } | null;
  readonly leaseUntil: Instant | null;
  /** When the key can be used anew. Until it is settled, the key stays. */
  readonly expiresAt: Instant;
}

export interface ListIdempotencyKeys {
  readonly filter: {
    readonly key?: string;
    readonly status?: KeyStatus;
    /** By default the caller. */
    readonly userId?: UserId;
  };
  readonly page: PageRequest<IdempotencyKeyId>;
}

interface Dependencies {
  readonly clock: Clock;
  /** How long a claim keeps other processes out, in milliseconds. By default 0, for a store that no process writes to. */
  readonly leaseMs?: number;
}

/** Users look up their own keys, and administrators those of any user. */
export const idempotencyKeyUseCases = ({ clock, leaseMs = 0 }: Dependencies) => {
  const filterFor = (userId: UserId, status?: KeyStatus): IdempotencyFilter => {
    const times = leaseTimes(clock.now(), leaseMs);
    return { userId, status, expiredBefore: Instant.plus(times.now, -idempotencyKeyLifetimeMs), ...times };
  };

  const isListed = ({ lease, createdAt }: IdempotencyEntry, filter: IdempotencyFilter): boolean => {
    const status = statusOf(lease, filter);
    if (status === 'completed' && createdAt <= filter.expiredBefore) return false;
    return filter.status === undefined || filter.status === status;
  };

  const shown = (entry: IdempotencyEntry, filter: IdempotencyFilter): IdempotencyKey => {
    const { userId, key, createdAt, lease, responseStart, resource } = entry;
    const { id, method, path, requestId } = resource;
    return {
      ...{ id, userId, method, path, requestId, responseStart, createdAt },
      // They are erased together.
      key: requestId === null ? null : key,
      ...versionAt(entry, filter),
      status: statusOf(lease, filter),
      attemptCount: lease?.fencingToken ?? 1,
      process: lease && { name: lease.process, subject: lease.subject },
      leaseUntil: lease?.leaseUntil ?? null,
      expiresAt: Instant.plus(createdAt, idempotencyKeyLifetimeMs),
    };
  };

  /** A page of the one record that a user has of a key. */
  const pageOfKey = async (
    records: IdempotencyReader,
    key: string,
    filter: IdempotencyFilter,
    { after, order }: PageRequest<IdempotencyKeyId>,
  ): Promise<Page<IdempotencyEntry>> => {
    const record = await records.find(filter.userId, key);
    const entry = record && entryOf(record);
    if (entry === undefined || !isListed(entry, filter)) return Page.empty;
    const { id } = entry.resource;
    const isBehind = after === undefined || (order === 'descending' ? id < after : id > after);
    return isBehind ? { rows: [entry], hasMore: false } : Page.empty;
  };

  return {
    list: query(
      'idempotency-keys:read',
      [],
      (caller, { filter: wanted, page }: ListIdempotencyKeys) =>
        async ({ idempotencyKeys }): Promise<Page<IdempotencyKey>> => {
          const { key, status, userId = caller.userId } = wanted;
          if (userId !== caller.userId && !isAdmin(caller)) return Page.empty;
          const filter = filterFor(userId, status);
          const { rows, hasMore } = await (key === undefined
            ? idempotencyKeys.page(filter, page)
            : pageOfKey(idempotencyKeys, key, filter, page));
          return { rows: rows.map((entry) => shown(entry, filter)), hasMore };
        },
    ),

    get: query(
      'idempotency-keys:read',
      ['not-found', 'forbidden'],
      (caller, id: IdempotencyKeyId) =>
        async ({ idempotencyKeys }): Promise<IdempotencyKey> => {
          const entry = requireFound(await idempotencyKeys.findById(id));
          requireOwnerOrAdmin(caller, entry.userId);
          const filter = filterFor(entry.userId);
          return shown(requireFound(isListed(entry, filter) ? entry : undefined), filter);
        },
    ),
  };
};
