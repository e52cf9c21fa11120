import { Counter, Gauge, type Registry } from 'prom-client';
import { type ReconciliationObserver, reconciliationResults } from '#application/reconciliation/observer.ts';
import { startingAtZero } from './measured-requests.ts';

/** How long a waiting time is shown. A process that has lost the leader lease measures no more. */
const shownForMs = 10_000;

/** Counts reconciliation tasks by result. */
export const measuredReconciliation = (registry: Registry): Omit<ReconciliationObserver, 'warn'> => {
  const registers = [registry];
  const ended = new Counter({
    name: 'portico_reconciliations_total',
    help: 'Reconciliations with the payment provider by result. One that failed, or whose payment another process works on, is retried.',
    labelNames: ['result'],
    registers,
  });
  const children = new Map(
    reconciliationResults.map((result) => [result, startingAtZero(ended.labels({ result }))]),
  );
  const overdue = { ms: 0, at: 0 };
  new Gauge({
    name: 'portico_reconciliations_overdue_seconds',
    help: 'How long the most overdue reconciliation has waited, in the process that runs the background jobs.',
    registers,
    collect() {
      this.set(performance.now() - overdue.at < shownForMs ? overdue.ms / 1000 : 0);
    },
  });
  const eventsRead = startingAtZero(
    new Counter({
      name: 'portico_provider_events_read_total',
      help: "Events that were read from the payment provider's own list, each once.",
      registers,
    }),
  );
  return {
    ended: (result) => children.get(result)?.inc(),
    overdue: (ms) => {
      overdue.ms = ms;
      overdue.at = performance.now();
    },
    eventsRead: (count) => eventsRead.inc(count),
  };
};

/** What becomes of the requests to the listener for events of the payment provider. */
const outcomes = [
  ...['accepted', 'unknown_type', 'malformed', 'forged', 'stale'],
  ...['not_stored', 'too_many', 'too_large', 'incomplete'],
] as const;

/** Counts the events that the payment provider has sent, by outcome. */
export const measuredProviderEvents = (registry: Registry): ((outcome: string) => void) => {
  const counter = new Counter({
    name: 'portico_provider_events_received_total',
    help: 'Requests to the listener for events of the payment provider, by outcome. An accepted one names what to retrieve.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const children = new Map<string, Counter.Internal>(
    outcomes.map((outcome) => [outcome, startingAtZero(counter.labels({ outcome }))]),
  );
  return (outcome) => children.get(outcome)?.inc();
};
