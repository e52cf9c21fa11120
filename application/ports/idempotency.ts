import type { Role } from '#domain/access.ts';
import type { Instant } from '#domain/instant.ts';
import type { Id } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';
import type { Page, PageRequest } from './page.ts';

export type IdempotencyKeyId = Id<'idempotency-key'>;

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
  /** What the user who reads the key sees of this request. Without it no one can read the key. */
  readonly origin?: RequestOrigin | undefined;
}

/** Where an idempotent request came from. */
export interface RequestOrigin {
  readonly method: string;
  /** Up to 1,000 characters. */
  readonly path: string;
  /** Up to 200 characters. */
  readonly requestId: string;
  /** Hashes each field of the request, so that the error of a different request names those that differ. @param salt of one record alone */
  readonly hashFields?: ((salt: string) => FieldHashes) | undefined;
}

/** A short keyed hash of each field of a request, by the name of the field. */
export type FieldHashes = Readonly<Record<string, string>>;

/** What a user who reads a key sees, besides the state of its process. It has the fields of a resource. */
export interface KeyResource {
  /** A UUIDv7 whose time is the creation of the record. */
  readonly id: IdempotencyKeyId;
  readonly version: number;
  readonly updatedAt: Instant;
  readonly method: string;
  readonly path: string;
  /** Of the first request; null once it is erased. */
  readonly requestId: string | null;
  /** Of the first request; null where they are not kept, and once they are erased. */
  readonly fieldHashes: FieldHashes | null;
}

/** The idempotency record of a key: one per user and key. */
export interface IdempotencyRecord extends Omit<IdempotentRequest, 'origin'> {
  readonly createdAt: Instant;
  /**
   * The encoded response that every later request replays, of up to 100,000 characters; null while there is none, and once
   * it is erased. A store returns it character by character, although it may be JSON.
   */
  readonly response: string | null;
  /** The process that works under this key; null when the operation calls no external system. */
  readonly lease: ProcessLease | null;
  /** Null for a record of an earlier release, which no list shows. */
  readonly resource: KeyResource | null;
}

/** A record as lists have it: with the beginning of its response, which may be long. */
export interface IdempotencyEntry extends Omit<IdempotencyRecord, 'response'> {
  readonly resource: KeyResource;
  /** The first characters of the response, at least `responseStartLength`; null while there is none. */
  readonly responseStart: string | null;
}

export const responseStartLength = 1_000;

/**
 * - `in_progress`: a process holds the lease
 * - `open`: the process is not settled, and a retry claims it
 * - `completed`: nothing is under way
 */
export const keyStatuses = ['in_progress', 'open', 'completed'] as const;
export type KeyStatus = (typeof keyStatuses)[number];

/** Matches the records of a user that can be looked up. */
export interface IdempotencyFilter {
  readonly userId: UserId;
  readonly status?: KeyStatus | undefined;
  /** A settled record that was created then or before has expired, and does not match. */
  readonly expiredBefore: Instant;
  /** A lease is held when it ends later than this. */
  readonly now: Instant;
  /** A lease that ends later than this is not held: it was written before the clock was set back. */
  readonly latestExpiry: Instant;
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
   * Finds records without an unsettled process that belong to a user with one of these ids, or whose response contains one, or whose
   * path does while they have a request id. It may read every record, but not once for each id. A record may be found twice.
   * @param ids at least one
   * @param limit maximum number of records
   */
  findMentioning(ids: readonly Id[], limit: number): Promise<readonly IdempotencyRecord[]>;

  /** Finds the record whose resource has this id. */
  findById(id: IdempotencyKeyId): Promise<IdempotencyEntry | undefined>;

  /**
   * Lists the records that have a resource and match, in the order of its id, as `Reader.page` does. It ignores the period of
   * creation. Its cost does not grow with the number of records of the user, or of others.
   */
  page(filter: IdempotencyFilter, request: PageRequest<IdempotencyKeyId>): Promise<Page<IdempotencyEntry>>;
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
