import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { IdentityId } from '#domain/identity.ts';
import type { UserId } from '#domain/user.ts';
import { indexedText, reference, resource, resourceOfRow, rowOfResource } from './columns.ts';
import { type Table, tableOf } from './table.ts';
import { users } from './user.ts';

const IdentityEntity = defineEntity({
  name: 'Identity',
  tableName: 'identities',
  properties: {
    ...resource<IdentityId>(),
    user_id: reference<UserId>(users, 'user_id'),
    issuer: p.text(),
    subject: p.text(),
    key: indexedText(),
  },
  indexes: [{ properties: ['user_id', 'id'] }],
  uniques: [{ properties: ['key'] }],
});

type IdentityRow = InferEntity<typeof IdentityEntity>;

export const identities: Table<'identities', IdentityRow> = {
  ...tableOf(IdentityEntity),
  filters: { userId: 'user_id', key: 'key' },

  toRow: (identity) => ({
    ...rowOfResource(identity),
    user_id: identity.userId,
    issuer: identity.issuer,
    subject: identity.subject,
    key: identity.key,
  }),

  fromRow: (row) => ({
    ...resourceOfRow(row),
    userId: row.user_id,
    issuer: row.issuer,
    subject: row.subject,
    key: row.key,
  }),
};
