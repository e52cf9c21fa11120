import { providerEventsHandler } from '#adapters/http/provider-events/handler.ts';
import type { EventOutcome, ObserveEvent } from '#adapters/http/provider-events/outcomes.ts';
import { commonHeaders } from '#adapters/http/request/response.ts';
import { type Listener, listen } from '#adapters/http/server/server.ts';
import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import type { ReceiveProviderEvent } from '#application/reconciliation/receive-provider-event.ts';
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

/** How often each warning is logged at most, in milliseconds. Anyone can send messages, and could fill the log otherwise. */
const warningIntervalMs = 60_000;

/** What an operator should know of. */
const warnings: Partial<Record<EventOutcome, string>> = {
  forged:
    'A message to the listener for events of the payment provider has no valid signature. If all have none, check STRIPE_WEBHOOK_SECRETS.',
  stale:
    'An event of the payment provider was signed more than 300 seconds ago. If all were, check the clock of the database.',
  malformed: 'The payment provider has signed a message that is no event. Check the type of its endpoint.',
  not_stored: 'An event of the payment provider could not be stored. The provider sends it again.',
  too_many: 'More events of the payment provider arrive than are received at once. It sends the rest again.',
};

/**
 * Counts what becomes of the events that the payment provider sends, and logs what an operator should know of: the first at once, and
 * then one line a minute, with how often it has happened since the last.
 * @param now milliseconds from any start
 */
export const observingProviderEvents = (
  { providerEvent }: Pick<Metrics, 'providerEvent'>,
  log: Pick<OpenLog, 'warn' | 'debug'>,
  now: () => number = () => performance.now(),
): ObserveEvent => {
  const unlogged = new Map<EventOutcome, { readonly since: number; readonly count: number }>();
  return (outcome, { clientAddress, error } = { clientAddress: undefined }) => {
    providerEvent(outcome);
    const message = warnings[outcome];
    if (message === undefined) {
      log.debug(
        { outcome },
        'A message to the listener for events of the payment provider has been handled.',
      );
      return;
    }
    const { since, count } = unlogged.get(outcome) ?? { since: Number.NEGATIVE_INFINITY, count: 0 };
    if (now() - since < warningIntervalMs) {
      unlogged.set(outcome, { since, count: count + 1 });
      return;
    }
    unlogged.set(outcome, { since: now(), count: 0 });
    const fields = {
      ...{ outcome, count: count + 1 },
      ...(clientAddress !== undefined && { clientAddress }),
      ...(error !== undefined && { err: error }),
    };
    log.warn(fields, message);
  };
};
