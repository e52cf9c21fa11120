import { enqueueReconciliation, isProviderObject } from '../payments/provider-objects.ts';
import type { ProviderWebhook } from '../ports/charge-lifecycle.ts';
import type { ReconciliationDependencies } from './reconcile-charges.ts';

/**
 * What became of a request that arrived in the name of the provider.
 *
 * - `accepted`: the objects that it names are enqueued, and durable
 * - `unknown_type`: the provider has sent it, and it names no object
 * - `forged`, `stale`, `malformed`: it was rejected, and nothing is enqueued
 */
export type ReceivedProviderEvent = 'accepted' | 'unknown_type' | 'forged' | 'stale' | 'malformed';

/** @throws what the store throws when an object could not be enqueued: the provider has to send the event again */
export type ReceiveProviderEvent = (event: ProviderWebhook) => Promise<ReceivedProviderEvent>;

type Dependencies = Pick<ReconciliationDependencies, 'unitOfWork' | 'clock' | 'provider'>;

/**
 * Receives events that the provider sends by itself. They only name what to retrieve. A forged one does no work in the database.
 * @returns undefined for a provider that sends none
 */
export const receiveProviderEvents = ({
  unitOfWork,
  clock,
  provider,
}: Dependencies): ReceiveProviderEvent | undefined => {
  const { lifecycle } = provider;
  const read = lifecycle?.parseWebhook?.bind(lifecycle);
  if (read === undefined) return undefined;
  return async (event) => {
    const reading = await read(event, clock.now());
    if (typeof reading === 'string') return reading;
    // Both those of a type that is not known and those that no store can hold: neither comes to more by being sent again.
    const providerObjects = reading.filter(isProviderObject);
    if (providerObjects.length === 0) return 'unknown_type';
    await enqueueReconciliation(unitOfWork, provider.name, providerObjects, clock.now());
    return 'accepted';
  };
};
