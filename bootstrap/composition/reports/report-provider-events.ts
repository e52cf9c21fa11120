import type { EventOutcome, ObserveEvent } from '#adapters/http/provider-events/outcomes.ts';
import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { OpenLog } from '#adapters/system/log.ts';

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
