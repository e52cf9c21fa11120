import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type {
  IdempotencyEntry,
  IdempotencyKeyId,
  IdempotencyRecord,
  KeyResource,
  ProcessLease,
} from '#application/ports/idempotency.ts';
import type { Role } from '#domain/access.ts';
import type { Id } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';
import { choice, indexedText, instant, mediumText } from './columns.ts';
import { tableOf, type Value } from './table.ts';

const tableName = 'idempotency_keys';

const properties = () => ({
  user_id: p.uuid().$type<UserId>().primary(),
  key: indexedText().primary(),
  role: choice<Role>(),
  fingerprint: p.text(),
  created_at: instant(),
  answer: mediumText().strictNullable(),
  /** The process under way at a provider. All four are null when there is none, and only the lease is once it is settled. */
  process: p.text().strictNullable(),
  subject: p.uuid().$type<Id>().strictNullable(),
  lease_until: instant().strictNullable(),
  fence: p.integer().strictNullable(),
  /** The record as a resource. The id is null in rows of earlier releases. */
  id: p.uuid().$type<IdempotencyKeyId>().strictNullable(),
  version: p.integer().default(1),
  updated_at: instant().strictNullable(),
  method: p.text().length(32).strictNullable(),
  path: p.text().strictNullable(),
  request_id: p.text().strictNullable(),
  /** A JSON object: the keyed hash of each field of the first request. */
  field_hashes: p.text().strictNullable(),
});

const byIdOfUser: { properties: ['user_id', 'id']; where: string } = {
  properties: ['user_id', 'id'],
  where: 'id is not null',
};

export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName,
  properties: properties(),
  indexes: [
    { properties: ['created_at'] },
    { properties: ['lease_until'], where: 'lease_until is not null' },
    byIdOfUser,
  ],
});

/**
 * On PostgreSQL, keys are in list partitions, so that a purge drops those of a day at once. The default of `part` names the
 * current partition.
 */
export const PartitionedIdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName,
  properties: { ...properties(), part: p.integer().primary().default(1) },
  partitionBy: {
    type: 'list',
    expression: 'part',
    partitions: [{ name: `${tableName}_1`, values: 'in (1)' }],
  },
  indexes: [
    { properties: ['created_at'], where: 'lease_until is null' },
    { properties: ['lease_until'], where: 'lease_until is not null' },
    byIdOfUser,
  ],
});

export type IdempotencyKeyRow = InferEntity<typeof IdempotencyKeyEntity>;

export const idempotencyKeys = {
  ...tableOf(IdempotencyKeyEntity),
  key: ['user_id', 'key'],
  isVersioned: false,

  toRow: (record: IdempotencyRecord): { readonly [C in keyof IdempotencyKeyRow & string]: Value } => ({
    user_id: record.userId,
    key: record.key,
    role: record.role,
    fingerprint: record.fingerprint,
    created_at: record.createdAt,
    answer: record.response,
    process: record.lease?.process ?? null,
    subject: record.lease?.subject ?? null,
    lease_until: record.lease?.leaseUntil ?? null,
    fence: record.lease?.fencingToken ?? null,
    ...rowOfResource(record),
  }),

  fromRow: (row: IdempotencyKeyRow): IdempotencyRecord => ({
    userId: row.user_id,
    key: row.key,
    role: row.role,
    fingerprint: row.fingerprint,
    createdAt: row.created_at,
    response: row.answer,
    lease: leaseOf(row),
    resource: resourceOf(row),
  }),

  /** @param row without its response, but with the beginning of it */
  toEntry: (row: IdempotencyEntryRow): IdempotencyEntry => ({
    userId: row.user_id,
    key: row.key,
    role: row.role,
    fingerprint: row.fingerprint,
    createdAt: row.created_at,
    responseStart: row.response_start,
    lease: leaseOf(row),
    resource: resourceOf(row) ?? missingId(),
  }),
};

/** A row of a list, which has only rows with an id. */
export interface IdempotencyEntryRow extends Omit<IdempotencyKeyRow, 'answer'> {
  readonly response_start: string | null;
}

const missingId = (): never => {
  throw new TypeError('A list of idempotency keys has a row without an id.');
};

const rowOfResource = ({ resource }: IdempotencyRecord) => ({
  id: resource?.id ?? null,
  version: resource?.version ?? 1,
  updated_at: resource?.updatedAt ?? null,
  method: resource?.method ?? null,
  path: resource?.path ?? null,
  request_id: resource?.requestId ?? null,
  field_hashes: resource?.fieldHashes ? JSON.stringify(resource.fieldHashes) : null,
});

const resourceOf = (row: Omit<IdempotencyKeyRow, 'answer'>): KeyResource | null => {
  const { id, version, updated_at, method, path, request_id, field_hashes } = row;
  if (id === null || method === null || path === null) return null;
  return {
    ...{ id, version, updatedAt: updated_at ?? row.created_at, method, path, requestId: request_id },
    fieldHashes: field_hashes === null ? null : JSON.parse(field_hashes),
  };
};

const leaseOf = ({
  process,
  subject,
  lease_until,
  fence,
}: Omit<IdempotencyKeyRow, 'answer'>): ProcessLease | null =>
  process === null || subject === null || fence === null
    ? null
    : { process, subject, leaseUntil: lease_until, fencingToken: fence };
