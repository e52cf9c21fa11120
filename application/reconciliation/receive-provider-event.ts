import { isPlace, notePlaces } from '../payments/provider-objects.ts';
import type { ProviderWebhook } from '../ports/charge-lifecycle.ts';
import type { LookUpDependencies } from './reconcile-charges.ts';

/**
 * What became of a message that came in the name of the provider.
 *
 * - `accepted`: the places that it names are noted, and durable
 * - `unknown_type`: the provider has sent it, and it names no place
 * - `forged`, `stale`, `malformed`: it was not believed to say where to look
 */
export type ReceivedEvent = 'accepted' | 'unknown_type' | 'forged' | 'stale' | 'malformed';

/** @throws what the store throws when a place could not be noted: the provider has to send the event again */
export type ReceiveEvent = (event: ProviderWebhook) => Promise<ReceivedEvent>;

type Dependencies = Pick<LookUpDependencies, 'unitOfWork' | 'clock' | 'provider'>;

/**
 * Receives events that the provider sends by itself. They only say where to look. A forged one does no work in the database.
 * @returns undefined for a provider that sends none
 */
export const receiveEvents = ({ unitOfWork, clock, provider }: Dependencies): ReceiveEvent | undefined => {
  const { lifecycle } = provider;
  const read = lifecycle?.parseWebhook?.bind(lifecycle);
  if (read === undefined) return undefined;
  return async (event) => {
    const reading = await read(event, clock.now());
    if (typeof reading === 'string') return reading;
    // Both those of a type that is not known and those that no store can hold: neither comes to more by being sent again.
    const places = reading.filter(isPlace);
    if (places.length === 0) return 'unknown_type';
    await notePlaces(unitOfWork, provider.name, places, clock.now());
    return 'accepted';
  };
};
