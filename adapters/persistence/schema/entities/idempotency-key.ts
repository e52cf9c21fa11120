import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { RememberedKey, Undertaking } from '#application/ports/idempotency.ts';
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

  toRow: (remembered: RememberedKey): { readonly [C in keyof IdempotencyKeyRow & string]: Value } => ({
    user_id: remembered.userId,
    key: remembered.key,
    role: remembered.role,
    fingerprint: remembered.fingerprint,
    created_at: remembered.createdAt,
    answer: remembered.answer,
    process: remembered.undertaking?.process ?? null,
    subject: remembered.undertaking?.subject ?? null,
    lease_until: remembered.undertaking?.leaseUntil ?? null,
    fence: remembered.undertaking?.fence ?? null,
  }),

  fromRow: (row: IdempotencyKeyRow): RememberedKey => ({
    userId: row.user_id,
    key: row.key,
    role: row.role,
    fingerprint: row.fingerprint,
    createdAt: row.created_at,
    answer: row.answer,
    undertaking: undertakingOf(row),
  }),
};

const undertakingOf = ({ process, subject, lease_until, fence }: IdempotencyKeyRow): Undertaking | null =>
  process === null || subject === null || fence === null
    ? null
    : { process, subject, leaseUntil: lease_until, fence };
