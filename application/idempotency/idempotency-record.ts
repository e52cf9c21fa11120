import { DomainError, type DomainErrorKind } from '#domain/errors.ts';
import type { Instant } from '#domain/instant.ts';
import { ApplicationError } from '../errors.ts';
import type { IdempotencyRecord, IdempotentRequest, ProcessLease } from '../ports/idempotency.ts';

/** How a use case ended: it was carried out, or a domain error rejected it. */
export type Outcome<T> = { readonly done: T } | { readonly rejected: DomainError };

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
  { userId, key, role, fingerprint }: IdempotentRequest,
  createdAt: Instant,
  rest: Rest,
) => ({ userId, key, role, fingerprint, createdAt, ...rest });

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
  new ApplicationError(
    'key-reused',
    'The request with this idempotency key was carried out. Its response has been erased with the personal data of its user.',
  );

export const keyInProgress = (): ApplicationError =>
  new ApplicationError(
    'key-in-progress',
    'The first request with this idempotency key is still running. Wait, then send the same request with the same key.',
  );
