import { defineEntity, p } from '@mikro-orm/core';

/** A window of a key. Its end is a number, for it is compared and added to, and shown to nobody as it is. */
export const QuotaEntity = defineEntity({
  name: 'Quota',
  tableName: 'quotas',
  properties: {
    key: p.uuid().primary(),
    /** In milliseconds since 1970. */
    ends_at: p.bigint('number'),
    used: p.integer(),
    /** What whoever asked last was handed. */
    granted: p.integer(),
  },
  indexes: [{ properties: ['ends_at'] }],
});
