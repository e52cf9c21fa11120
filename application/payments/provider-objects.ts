import type { Instant } from '#domain/instant.ts';
import { text } from '#domain/text.ts';
import type { ProviderObject } from '../ports/charge-lifecycle.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';

export const providerObjectKinds = [
  'charge',
  'refund',
  'dispute',
] as const satisfies readonly ProviderObject['kind'][];

const reference = text(1, 255);

/**
 * Whether a store can hold an object. Anything can be sent as an event, and an external provider may list anything: a reference that no store
 * can hold would fail with each try.
 */
export const isProviderObject = (providerObject: {
  readonly kind: unknown;
  readonly reference: unknown;
}): providerObject is ProviderObject =>
  providerObjectKinds.includes(providerObject.kind as ProviderObject['kind']) &&
  typeof providerObject.reference === 'string' &&
  reference.violation(providerObject.reference) === undefined;

/** How many objects one unit of work enqueues. */
const batchSize = 100;

/**
 * Enqueues a reconciliation task for each object that events have named. They are durable when it resolves. It adds them in an order of
 * their own, so that two processes do not deadlock.
 */
export const enqueueReconciliation = async (
  unitOfWork: UnitOfWork,
  provider: string,
  providerObjects: readonly ProviderObject[],
  at: Instant,
): Promise<void> => {
  const sorted = [...providerObjects].sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  for (let start = 0; start < sorted.length; start += batchSize) {
    const batch = sorted.slice(start, start + batchSize);
    await unitOfWork.run(async ({ reconciliationTasks }) => {
      for (const { kind, reference } of batch)
        await reconciliationTasks.enqueue(provider, { kind, reference }, at);
    });
  }
};

const orderOf = ({ kind, reference }: ProviderObject): string => `${kind} ${reference}`;
