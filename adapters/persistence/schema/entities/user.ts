import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { type Role, roles } from '#domain/access.ts';
import type { UserId, UserStatus } from '#domain/user.ts';
import {
  choice,
  indexedText,
  metadata,
  metadataOfRow,
  resource,
  resourceOfRow,
  rowOfMetadata,
  rowOfResource,
  uniqueExternalId,
} from './columns.ts';
import { type Table, tableOf } from './table.ts';

const UserEntity = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    ...resource<UserId>(),
    email: indexedText(),
    name: p.text(),
    role: choice<Role>(),
    status: choice<UserStatus>().default('active'),
    external_id: indexedText().strictNullable(),
    ...metadata(),
  },
  indexes: [{ properties: ['role', 'id'] }, { properties: ['created_at', 'id'] }],
  uniques: [{ properties: ['email'] }, uniqueExternalId],
});

type UserRow = InferEntity<typeof UserEntity>;

export const users: Table<'users', UserRow> = {
  ...tableOf(UserEntity),
  filters: { email: 'email', role: 'role', externalId: 'external_id' },
  choices: { role: roles },

  toRow: (user) => ({
    ...rowOfResource(user),
    email: user.email,
    name: user.name,
    role: user.role,
    status: user.status,
    external_id: user.externalId,
    ...rowOfMetadata(user),
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.status,
    externalId: row.external_id,
    ...metadataOfRow(row),
  }),
};
