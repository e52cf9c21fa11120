import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './columns.ts';

/** Leader leases: which process runs a background job, and until when. */
export const LeaseEntity = defineEntity({
  name: 'Lease',
  tableName: 'duties',
  properties: {
    name: p.text().primary(),
    holder: p.text(),
    until: instant(),
  },
});

/** The current rate-limit window of each key. */
export const QuotaEntity = defineEntity({
  name: 'Quota',
  tableName: 'quotas',
  properties: {
    key: p.uuid().primary(),
    /** In milliseconds since 1970: a number, because the statements calculate with it. */
    ends_at: p.bigint('number'),
    used: p.integer(),
    /** How much the last lease was granted. */
    granted: p.integer(),
  },
  indexes: [{ properties: ['ends_at'] }],
});

/** The ledger of the sandbox provider. No resource refers to it, because a real provider keeps its ledger elsewhere. */
export const SandboxVerdictEntity = defineEntity({
  name: 'SandboxVerdict',
  tableName: 'sandbox_ledger',
  properties: {
    id: p.text().primary(),
    verdict: p.text(),
  },
});
