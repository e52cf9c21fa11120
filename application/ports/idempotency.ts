import type { Role } from '#domain/access.ts';
import type { Id } from '#domain/id.ts';
import type { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';

/** A client's attempt at one logical operation; all attempts at the same one carry the same key. */
export interface IdempotentRequest {
  /** A key belongs to the user, so a new credential does not make a new operation. */
  readonly userId: UserId;
  readonly key: string;
  /** What the user is when asking. Whoever has been trusted less since is not shown what was answered then. */
  readonly role: Role;
  /** Equal exactly when two requests ask for the same. */
  readonly fingerprint: string;
}

/** What is known of a key. */
export interface IdempotencyRecord extends IdempotentRequest {
  readonly createdAt: Instant;
  /** What every later attempt is answered, in whatever form the asker gave it; null while there is none. */
  readonly response: string | null;
  /** What is under way at a provider under this key; null when the key needs no provider. */
  readonly lease: ProcessLease | null;
}

/** A lease on work that a provider has a part in: one at a time works at it, and whoever dies is succeeded. */
export interface ProcessLease {
  /** Which kind of work it is, for whoever takes it up. */
  readonly process: string;
  /** The payment or refund that was begun. */
  readonly subject: Id;
  /** Until when nobody else takes it up; null once it is settled. */
  readonly leaseUntil: Instant | null;
  /** One more with each taking up. Who finds another number than its own has been succeeded, and writes nothing. */
  readonly fencingToken: number;
}

export interface IdempotencyReader {
  /** What is known of the key, which somebody may be changing meanwhile. */
  find(userId: UserId, key: string): Promise<IdempotencyRecord | undefined>;

  /**
   * Unsettled undertakings of keys created before one instant, whose lease ended before another; longest idle first.
   * @param farthest what is later counts as long ago: it was written by a clock that has been put back
   */
  findStale(
    createdBefore: Instant,
    leaseBefore: Instant,
    limit: number,
    farthest?: Instant,
  ): Promise<readonly IdempotencyRecord[]>;
}

/** The keys inside a unit of work: they change with all else that it changes, or not at all. */
export interface IdempotencyStore extends IdempotencyReader {
  /** What is known of the key; until this unit of work ends nobody else changes it. */
  lock(userId: UserId, key: string): Promise<IdempotencyRecord | undefined>;

  /** When somebody else has added the key meanwhile, the unit of work is run again. */
  add(remembered: IdempotencyRecord): Promise<void>;

  /** Replaces what is known of a key that this unit of work holds. */
  save(remembered: IdempotencyRecord): Promise<void>;

  remove(userId: UserId, key: string): Promise<void>;

  /**
   * Removes keys created before then, but none with an unsettled undertaking. A call removes no more than is soon done,
   * and a store may keep a key until those that came after it may go as well.
   * @returns whether another call would remove more
   */
  deleteExpired(createdBefore: Instant): Promise<boolean>;
}
