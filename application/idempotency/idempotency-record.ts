import { DomainError, type DomainErrorKind } from '#domain/errors.ts';
import { Instant } from '#domain/instant.ts';
import type { Id } from '#domain/resource.ts';
import { ApplicationError, KeyReused } from '../errors.ts';
import type {
  IdempotencyKeyId,
  IdempotencyRecord,
  IdempotentRequest,
  KeyResource,
  ProcessLease,
} from '../ports/idempotency.ts';
import { latestPlausibleExpiry, type NewId } from '../ports/system.ts';
import type { Outcome } from '../use-case.ts';

/** The outcome of a request that was carried out now, or the stored response to an earlier one with the same key. */
export type IdempotentResult<T> = { readonly outcome: Outcome<T> } | { readonly replayed: string };

/** Encodes an outcome as the response that is stored and replayed. */
export type EncodeResponse<T> = (outcome: Outcome<T>) => string;

/**
 * Errors that are stored and replayed. The others concern the request itself (its caller, its content, its `If-Match`),
 * so the key stays unused and a corrected request can use it.
 */
const replayableKinds: ReadonlySet<DomainErrorKind> = new Set<DomainErrorKind>([
  'not-found',
  'product-not-found',
  'conflict',
  'invalid-state',
  'out-of-stock',
  'product-unavailable',
  'amount-exceeded',
  'payment-declined',
]);

/** Whether a later request with the same key gets an error of this kind again. */
export const isReplayableKind = (kind: string): boolean => replayableKinds.has(kind as DomainErrorKind);

export const isReplayable = (error: unknown): error is DomainError =>
  error instanceof DomainError && isReplayableKind(error.kind);

/** The record of a key whose use case is a process. */
export interface ProcessRecord extends IdempotencyRecord {
  readonly lease: ProcessLease;
}

/** Copies the fields of the key only, because a request may carry more than is stored. */
export const newRecord = <Rest extends Pick<IdempotencyRecord, 'response' | 'lease'>>(
  request: IdempotentRequest,
  createdAt: Instant,
  newId: NewId,
  rest: Rest,
) => {
  const { userId, key, role, fingerprint } = request;
  const resource = newKeyResource(request, createdAt, newId);
  return { userId, key, role, fingerprint, createdAt, resource, ...rest };
};

export const hasProcess = (record: IdempotencyRecord): record is ProcessRecord => record.lease !== null;

/** Whether the key has a process that is not settled yet. */
export const isUnsettled = ({ lease }: IdempotencyRecord): boolean =>
  lease !== null && lease.leaseUntil !== null;

/**
 * @throws ApplicationError 'key-in-progress' when no response is stored yet, 'key-reused' when it has been erased
 */
export const replayOf = (record: IdempotencyRecord | undefined): { readonly replayed: string } => {
  if (record === undefined || (record.response === null && record.lease !== null)) throw keyInProgress();
  if (record.response === null) throw responseErased();
  return { replayed: record.response };
};

const responseErased = (): ApplicationError =>
  new KeyReused(
    'The request with this idempotency key was carried out. Its response has been erased with the personal data of its user.',
  );

export const keyInProgress = (): ApplicationError =>
  new ApplicationError(
    'key-in-progress',
    'The first request with this idempotency key is still running. Wait, then send the same request with the same key.',
  );

/** When a lease counts as held, as `IdempotencyFilter` has it. */
export interface LeaseTimes {
  readonly now: Instant;
  readonly latestExpiry: Instant;
}

/** @param leaseMs how long a lease lasts, in milliseconds */
export const leaseTimes = (now: Instant, leaseMs: number): LeaseTimes => ({
  now,
  latestExpiry: latestPlausibleExpiry(Instant.plus(now, leaseMs)),
});

export const isHeld = (leaseUntil: Instant, { now, latestExpiry }: LeaseTimes): boolean =>
  leaseUntil > now && leaseUntil <= latestExpiry;

/** The resource of a new record. It is found by its time, so its id has that of the record. */
export const newKeyResource = (
  { origin }: IdempotentRequest,
  createdAt: Instant,
  newId: () => Id,
): KeyResource | null => {
  if (origin === undefined) return null;
  const { method, path, requestId, hashFields } = origin;
  const id = idAt(createdAt, newId());
  return {
    ...{ id, version: 1, updatedAt: createdAt, method, path, requestId },
    fieldHashes: hashFields?.(id) ?? null,
  };
};

/** The id with another time (RFC 9562 section 5.7). What is behind the time is unique by itself. */
export const idAt = (time: Instant, id: Id): IdempotencyKeyId => {
  const digits = Instant.milliseconds(time).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}${id.slice(13)}` as IdempotencyKeyId;
};

/**
 * A record with changes, and the next version of its resource. An expired lease has changed the resource, too, without a write:
 * `versionAt` counts it.
 */
export const revise = <R extends IdempotencyRecord>(
  record: R,
  changes: Partial<Pick<R, 'lease' | 'response'>>,
  times: LeaseTimes,
): R => {
  const { resource, lease } = record;
  if (resource === null) return { ...record, ...changes };
  const version = versionAt({ resource, lease }, times).version + 1;
  const updatedAt = times.now > resource.updatedAt ? times.now : resource.updatedAt;
  return { ...record, ...changes, resource: { ...resource, version, updatedAt } };
};

/** Version and last change of a record as its user sees it: that a lease expires is a change. */
export const versionAt = (
  { resource, lease }: { readonly resource: KeyResource; readonly lease: ProcessLease | null },
  times: LeaseTimes,
): Pick<KeyResource, 'version' | 'updatedAt'> => {
  const { version, updatedAt } = resource;
  const leaseUntil = lease?.leaseUntil ?? null;
  if (leaseUntil === null || isHeld(leaseUntil, times)) return { version, updatedAt };
  const isPlausible = leaseUntil <= times.now && leaseUntil > updatedAt;
  return { version: version + 1, updatedAt: isPlausible ? leaseUntil : updatedAt };
};

/**
 * The record without what a client may have written: the id of its request, and the hashes of its fields.
 * @param response the rest of the response
 * @returns undefined when there is none of it
 */
export const withoutTexts = (
  record: IdempotencyRecord,
  response: string | null,
  now: Instant,
): IdempotencyRecord | undefined => {
  const { requestId = null, fieldHashes = null } = record.resource ?? {};
  if (record.response === response && requestId === null && fieldHashes === null) return undefined;
  const { resource, ...rest } = revise(record, { response }, leaseTimes(now, 0));
  return { ...rest, resource: resource && { ...resource, requestId: null, fieldHashes: null } };
};
