import type { Role } from '#domain/access.ts';
import type { Instant } from '#domain/instant.ts';
import type { Id } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';

/** A request with an idempotency key. A retry of the same operation carries the same key. */
export interface IdempotentRequest {
  /** A key belongs to the user, so that a retry with another credential is not a new operation. */
  readonly userId: UserId;
  /** 1 to 255 characters, compared code point by code point. */
  readonly key: string;
  /** The caller's role. A caller whose role is lower than at the first request gets no replay. */
  readonly role: Role;
  /** Equal if and only if two requests ask for the same operation. Up to 100 characters. */
  readonly fingerprint: string;
}

/** The idempotency record of a key: one per user and key. */
export interface IdempotencyRecord extends IdempotentRequest {
  readonly createdAt: Instant;
  /**
   * The encoded response that every later request replays, of up to 100,000 characters; null while there is none, and once
   * it is erased. A store returns it character by character, although it may be JSON.
   */
  readonly response: string | null;
  /** The process that works under this key; null when the operation calls no external system. */
  readonly lease: ProcessLease | null;
}

/** A lease on a process: one owner at a time works on it, and another takes over when the lease expires. */
export interface ProcessLease {
  /** The name of the process, by which the reconciler finds its phases. Up to 100 characters. */
  readonly process: string;
  /** The id of the payment or refund. */
  readonly subject: Id;
  /** When another owner can take over; null once the process is settled. */
  readonly leaseUntil: Instant | null;
  /** Fencing token: incremented on takeover. An owner that holds an older token must not write. */
  readonly fencingToken: number;
}

/**
 * A process is stale when its record is old enough and its lease has expired. An implausibly late time counts as long ago,
 * because it was written before the clock was set back.
 */
export interface StaleQuery {
  /** The record was created then or before. */
  readonly createdBefore: Instant;
  /** The lease expired then or before. */
  readonly now: Instant;
  /** How long a lease lasts, in milliseconds, so that a later end is implausible. */
  readonly leaseMs: number;
  /** Maximum number of records. */
  readonly limit: number;
}

export interface IdempotencyReader {
  /** Finds the record without a lock. It may change at any time. */
  find(userId: UserId, key: string): Promise<IdempotencyRecord | undefined>;

  /** Finds records with an unsettled process that is stale, in ascending order of the lease's end. */
  findStale(query: StaleQuery): Promise<readonly IdempotencyRecord[]>;

  /**
   * Finds records without an unsettled process that belong to the user with this id, or whose response contains the id. It may
   * read every record.
   * @param limit maximum number of records
   */
  findMentioning(id: Id, limit: number): Promise<readonly IdempotencyRecord[]>;
}

/** The records inside a unit of work. Their changes commit or roll back with all its other changes. */
export interface IdempotencyStore extends IdempotencyReader {
  /** Finds the record and locks it until the unit of work ends, with the guarantees of `Repository.lock`. */
  lock(userId: UserId, key: string): Promise<IdempotencyRecord | undefined>;

  /**
   * Adds a record. When another unit of work has added one with the same key, this unit of work is run again.
   * @throws ConstraintViolation when that adds the same key again, although it exists
   */
  add(record: IdempotencyRecord): Promise<void>;

  /** Replaces a record that this unit of work has locked. When there is none, the unit of work is run again. */
  save(record: IdempotencyRecord): Promise<void>;

  remove(userId: UserId, key: string): Promise<void>;

  /**
   * Deletes records that were created before then, except those with an unsettled process. One call deletes a bounded
   * number. A store may keep an expired record until newer ones have expired too.
   * @returns whether another call would delete more
   */
  deleteExpired(createdBefore: Instant): Promise<boolean>;
}
