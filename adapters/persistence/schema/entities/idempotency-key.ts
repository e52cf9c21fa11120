import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { IdempotencyRecord, ProcessLease } from '#application/ports/idempotency.ts';
import type { Role } from '#domain/access.ts';
import type { Id } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';
import { instant } from './columns.ts';
import { tableOf, type Value } from './table.ts';

const tableName = 'idempotency_keys';

const properties = () => ({
  user_id: p.uuid().$type<UserId>().primary(),
  key: p.text().primary(),
  role: p.text().$type<Role>(),
  fingerprint: p.text(),
  created_at: instant(),
  answer: p.text().strictNullable(),
  /** The process under way at a provider. All four are null when there is none, and only the lease is once it is settled. */
  process: p.text().strictNullable(),
  subject: p.uuid().$type<Id>().strictNullable(),
  lease_until: instant().strictNullable(),
  fence: p.integer().strictNullable(),
});

export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName,
  properties: properties(),
  indexes: [
    { properties: ['created_at'] },
    { properties: ['lease_until'], where: 'lease_until is not null' },
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
  }),

  fromRow: (row: IdempotencyKeyRow): IdempotencyRecord => ({
    userId: row.user_id,
    key: row.key,
    role: row.role,
    fingerprint: row.fingerprint,
    createdAt: row.created_at,
    response: row.answer,
    lease: leaseOf(row),
  }),
};

const leaseOf = ({ process, subject, lease_until, fence }: IdempotencyKeyRow): ProcessLease | null =>
  process === null || subject === null || fence === null
    ? null
    : { process, subject, leaseUntil: lease_until, fencingToken: fence };
