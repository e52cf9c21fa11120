import { defineEntity, p } from '@mikro-orm/core';

/** The sandbox's own table, which no resource refers to: in earnest a provider keeps its books elsewhere. */
export const SandboxVerdictEntity = defineEntity({
  name: 'SandboxVerdict',
  tableName: 'sandbox_ledger',
  properties: {
    id: p.text().primary(),
    verdict: p.text(),
  },
});
