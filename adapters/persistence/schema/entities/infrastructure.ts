import { defineEntity, p } from '@mikro-orm/core';
import type { ReconciliationTask } from '#application/ports/reconciliation-tasks.ts';
import type { Instant } from '#domain/instant.ts';
import { choice, indexedText, instant } from './columns.ts';
import { type Row, tableOf } from './table.ts';

/** Leader leases: which process runs a background job, and until when. */
export const LeaseEntity = defineEntity({
  name: 'Lease',
  tableName: 'duties',
  properties: {
    name: indexedText().primary(),
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

/** Reconciliation tasks: what to retrieve from a provider, and when. */
export const ReconciliationTaskEntity = defineEntity({
  name: 'ReconciliationTask',
  tableName: 'look_ups',
  properties: {
    provider: indexedText().primary(),
    kind: choice<ReconciliationTask['kind']>().primary(),
    reference: indexedText().primary(),
    created_at: instant(),
    due_at: instant(),
    /** When it was last retrieved. */
    looked_up_at: instant().strictNullable(),
    /** How many attempts were made since the last event. */
    attempts: p.integer(),
    /** How many events have named it. */
    events: p.integer(),
  },
  indexes: [{ properties: ['due_at'] }],
});

export interface ReconciliationTaskRow extends Row {
  readonly provider: string;
  readonly kind: ReconciliationTask['kind'];
  readonly reference: string;
  readonly created_at: Instant;
  readonly due_at: Instant;
  readonly looked_up_at: Instant | null;
  readonly attempts: number;
  readonly events: number;
}

export const reconciliationTasks = {
  ...tableOf(ReconciliationTaskEntity),
  key: ['provider', 'kind', 'reference'] as const,

  fromRow: (row: ReconciliationTaskRow): ReconciliationTask => ({
    provider: row.provider,
    kind: row.kind,
    reference: row.reference,
    createdAt: row.created_at,
    dueAt: row.due_at,
    lastAttemptAt: row.looked_up_at,
    attempts: row.attempts,
    events: row.events,
  }),
};

/** How far the list of events of each provider was read. */
export const ProviderEventPositionEntity = defineEntity({
  name: 'ProviderEventPosition',
  tableName: 'provider_news',
  properties: {
    provider: indexedText().primary(),
    /** The time of the newest event seen, by the provider's clock. */
    seen_until: instant(),
  },
});

/** The ledger of the sandbox provider. No resource refers to it, because a real provider keeps its ledger elsewhere. */
export const SandboxVerdictEntity = defineEntity({
  name: 'SandboxVerdict',
  tableName: 'sandbox_ledger',
  properties: {
    id: p.text().length(700).primary(),
    verdict: p.text(),
  },
});
