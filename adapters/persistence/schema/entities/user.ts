import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Role } from '#domain/access.ts';
import type { UserId } from '#domain/user.ts';
import { resource, resourceOfRow, rowOfResource } from './columns.ts';
import { type Table, tableOf } from './table.ts';

const UserEntity = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    ...resource<UserId>(),
    email: p.text(),
    name: p.text(),
    role: p.text().$type<Role>(),
  },
  uniques: [{ properties: ['email'] }],
});

type UserRow = InferEntity<typeof UserEntity>;

export const users: Table<'users', UserRow> = {
  ...tableOf(UserEntity),
  filters: { email: 'email' },
  toRow: (user) => ({ ...rowOfResource(user), email: user.email, name: user.name, role: user.role }),
  fromRow: (row) => ({ ...resourceOfRow(row), email: row.email, name: row.name, role: row.role }),
};
