import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { type Scope, scopes } from '#domain/access.ts';
import type { ApiKeyId } from '#domain/api-key.ts';
import type { UserId } from '#domain/user.ts';
import { flag, flagOf, instant, reference, resource, resourceOfRow, rowOfResource } from './columns.ts';
import { type Table, tableOf } from './table.ts';
import { users } from './user.ts';

const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    ...resource<ApiKeyId>(),
    user_id: reference<UserId>(users, 'user_id'),
    name: p.text(),
    /** Separated by spaces. */
    scopes: p.text(),
    secret_hash: p.text(),
    expires_at: instant().strictNullable(),
    last_used_at: instant().strictNullable(),
    created_by: p.uuid().$type<ApiKeyId>().strictNullable(),
    publishable: flag().default(0),
    rate_limit: p.integer().strictNullable(),
  },
  indexes: [{ properties: ['user_id', 'id'] }, { properties: ['created_by', 'id'] }],
});

type ApiKeyRow = InferEntity<typeof ApiKeyEntity>;

export const apiKeys: Table<'apiKeys', ApiKeyRow> = {
  ...tableOf(ApiKeyEntity),
  filters: { userId: 'user_id', createdBy: 'created_by' },

  toRow: (key) => ({
    ...rowOfResource(key),
    user_id: key.userId,
    name: key.name,
    scopes: key.scopes.join(' '),
    secret_hash: key.secretHash,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    created_by: key.createdBy,
    publishable: flagOf(key.publishable),
    rate_limit: key.rateLimit,
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    userId: row.user_id,
    name: row.name,
    scopes: row.scopes.split(' ').filter(isScope),
    secretHash: row.secret_hash,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    createdBy: row.created_by,
    publishable: row.publishable === 1,
    rateLimit: row.rate_limit,
  }),
};

/** A scope that no longer exists grants nothing. */
const isScope = (text: string): text is Scope => known.has(text);

const known: ReadonlySet<string> = new Set(scopes);
