import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { IdempotencyRecord, ProcessLease } from '#application/ports/idempotency.ts';
import type { Role } from '#domain/access.ts';
import type { Id } from '#domain/id.ts';
import type { UserId } from '#domain/user.ts';
import { instant } from './columns.ts';
import { columnsOf, type Value } from './table.ts';

const tableName = 'idempotency_keys';

const properties = () => ({
  user_id: p.uuid().$type<UserId>().primary(),
  key: p.text().primary(),
  role: p.text().$type<Role>(),
  fingerprint: p.text(),
  created_at: instant(),
  answer: p.text().strictNullable(),
  /** The four parts of an undertaking: all of them, or none but for the lease, are null when there is none. */
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

/** Where there are many, they are kept in parts, so that those of a day can go at once. Which part is new, its default says. */
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
  name: tableName,
  columns: columnsOf(IdempotencyKeyEntity),

  toRow: (remembered: IdempotencyRecord): { readonly [C in keyof IdempotencyKeyRow & string]: Value } => ({
    user_id: remembered.userId,
    key: remembered.key,
    role: remembered.role,
    fingerprint: remembered.fingerprint,
    created_at: remembered.createdAt,
    answer: remembered.response,
    process: remembered.lease?.process ?? null,
    subject: remembered.lease?.subject ?? null,
    lease_until: remembered.lease?.leaseUntil ?? null,
    fence: remembered.lease?.fencingToken ?? null,
  }),

  fromRow: (row: IdempotencyKeyRow): IdempotencyRecord => ({
    userId: row.user_id,
    key: row.key,
    role: row.role,
    fingerprint: row.fingerprint,
    createdAt: row.created_at,
    response: row.answer,
    lease: undertakingOf(row),
  }),
};

const undertakingOf = ({ process, subject, lease_until, fence }: IdempotencyKeyRow): ProcessLease | null =>
  process === null || subject === null || fence === null
    ? null
    : { process, subject, leaseUntil: lease_until, fencingToken: fence };
