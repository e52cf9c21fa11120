import { indexedFields } from '#adapters/persistence/memory/constraints.ts';
import { Rows } from '#adapters/persistence/memory/rows.ts';
import {
  emptyTables,
  type MemoryTables,
  MemoryUnitOfWork,
} from '#adapters/persistence/memory/unit-of-work.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import type { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import type { CountReads } from '../contracts/harness.ts';

/** Rows of a memory store that count how often one is read. */
class CountedRows<T extends object> extends Rows<T> {
  reads = 0;

  override get(key: string): T | undefined {
    this.reads += 1;
    return super.get(key);
  }

  override *walk(...given: Parameters<Rows<T>['walk']>): ReturnType<Rows<T>['walk']> {
    for (const entry of super.walk(...given)) {
      this.reads += 1;
      yield entry;
    }
  }
}

/** Tables of a memory store that count the deliveries of webhooks that are read. */
const countedTables = (): { readonly rows: MemoryTables; readonly reads: () => number } => {
  const webhookDeliveries = new CountedRows<WebhookDelivery>(indexedFields('webhookDeliveries'));
  return { rows: { ...emptyTables(), webhookDeliveries }, reads: () => webhookDeliveries.reads };
};

/** A memory store that counts its reads of deliveries. */
export const countingMemory = () => {
  const { rows, reads } = countedTables();
  const unitOfWork: StoreUnitOfWork = new MemoryUnitOfWork(rows);
  const countReads =
    (counted: StoreUnitOfWork): CountReads =>
    async (run) => {
      const before = reads();
      await run(counted);
      return reads() - before;
    };
  return { rows, unitOfWork, countReads };
};
