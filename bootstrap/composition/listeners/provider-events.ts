import { providerEventsHandler } from '#adapters/http/provider-events/handler.ts';
import { commonHeaders } from '#adapters/http/request/response.ts';
import { type Listener, listen } from '#adapters/http/server/server.ts';
import type { ReceiveProviderEvent } from '#application/reconciliation/receive-provider-event.ts';
import { observingProviderEvents } from '../reports/report-provider-events.ts';
import type { ServingDependencies } from '../tokens.ts';

/** How many requests are in progress at most: enough for any provider, and their bodies have 16 MiB at most. */
const maxInFlight = 64;

interface Dependencies extends Pick<ServingDependencies, 'config' | 'draining' | 'metrics' | 'log'> {
  /** Undefined when the payment provider sends no events. */
  readonly receiveEvent: ReceiveProviderEvent | undefined;
  /** Reconciles the charges that are due. */
  readonly reconcileDue: () => void;
}

/** Receives events of the payment provider on `HOST` and `PROVIDER_EVENTS_PORT`; undefined when that is 0. */
export const openProviderEventsListener = async ({
  config: { providerEvents, tls, behindProxy, crossOrigin, times },
  receiveEvent,
  reconcileDue,
  draining,
  metrics,
  log,
}: Dependencies): Promise<Listener | undefined> => {
  if (providerEvents === undefined || receiveEvent === undefined) return undefined;
  const observe = observingProviderEvents(metrics, log);
  const receive: ReceiveProviderEvent = async (event) => {
    const outcome = await receiveEvent(event);
    if (outcome === 'accepted') reconcileDue();
    return outcome;
  };
  return listen(providerEventsHandler({ receive, observe, behindProxy, timeoutMs: times.request }), {
    ...{ ...providerEvents, tls, behindProxy, draining, headers: commonHeaders(crossOrigin) },
    limits: { maxInFlight, storeDelay: () => 0, onShed: () => observe('too_many') },
  });
};
