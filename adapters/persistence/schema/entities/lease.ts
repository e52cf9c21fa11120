import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './columns.ts';

export const LeaseEntity = defineEntity({
  name: 'Duty',
  tableName: 'duties',
  properties: {
    name: p.text().primary(),
    holder: p.text(),
    until: instant(),
  },
});
