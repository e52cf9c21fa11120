import { Instant } from '#domain/instant.ts';
import type { Id } from '#domain/resource.ts';
import {
  type FieldHashes,
  type IdempotencyEntry,
  type IdempotencyKeyId,
  type IdempotencyRecord,
  type IdempotentRequest,
  type KeyStatus,
  type ProcessLease,
  responseStartLength,
} from '../ports/idempotency.ts';
import { idAt, isHeld, type LeaseTimes } from './idempotency-record.ts';

export const statusOf = (lease: ProcessLease | null, times: LeaseTimes): KeyStatus => {
  const leaseUntil = lease?.leaseUntil ?? null;
  if (leaseUntil === null) return 'completed';
  return isHeld(leaseUntil, times) ? 'in_progress' : 'open';
};

/** The time in an id, when its record was created. A client can send any id: one of after the year 9999 has the end of that year. */
export const timeOf = (id: IdempotencyKeyId): Instant =>
  Instant.at(Math.min(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16), latestMs));

const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The least id that a record of that time can have. */
export const leastIdAt = (time: Instant): IdempotencyKeyId =>
  idAt(time, '00000000-0000-0000-0000-000000000000' as Id);

/** The record as lists have it; undefined for one that no list shows. */
export const entryOf = ({ response, resource, ...rest }: IdempotencyRecord): IdempotencyEntry | undefined =>
  resource === null
    ? undefined
    : { ...rest, resource, responseStart: response?.slice(0, responseStartLength) ?? null };

/** The names of the fields that differ between two requests, as far as their hashes are kept. */
export const differingFields = (
  { resource }: IdempotencyRecord,
  { origin }: IdempotentRequest,
): readonly string[] => {
  if (resource === null || resource.fieldHashes === null || origin?.hashFields === undefined) return [];
  const [first, second]: readonly FieldHashes[] = [resource.fieldHashes, origin.hashFields(resource.id)];
  const names = new Set([...Object.keys(first ?? {}), ...Object.keys(second ?? {})]);
  return [...names].filter((name) => first?.[name] !== second?.[name]);
};
