import { defineEntity, type InferEntity } from '@mikro-orm/core';
import { type ErasureId, type ErasureStatus, erasureStatuses } from '#domain/erasure.ts';
import type { UserId } from '#domain/user.ts';
import { choice, reference, resource, resourceOfRow, rowOfResource } from './columns.ts';
import { type Table, tableOf } from './table.ts';
import { users } from './user.ts';

const ErasureEntity = defineEntity({
  name: 'Erasure',
  tableName: 'erasures',
  properties: {
    ...resource<ErasureId>(),
    user_id: reference<UserId>(users, 'user_id'),
    status: choice<ErasureStatus>(),
  },
  indexes: [{ properties: ['user_id', 'id'] }, { properties: ['status', 'id'] }],
});

type ErasureRow = InferEntity<typeof ErasureEntity>;

export const erasures: Table<'erasures', ErasureRow> = {
  ...tableOf(ErasureEntity),
  filters: { userId: 'user_id', status: 'status' },
  choices: { status: erasureStatuses },
  toRow: (erasure) => ({ ...rowOfResource(erasure), user_id: erasure.userId, status: erasure.status }),
  fromRow: (row) => ({ ...resourceOfRow(row), userId: row.user_id, status: row.status }),
};
