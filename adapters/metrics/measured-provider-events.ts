import { Counter, type Registry } from 'prom-client';
import { startingAtZero } from './measured-requests.ts';

/** What becomes of the requests to the listener for events of the payment provider. */
const outcomes = [
  ...['accepted', 'unknown_type', 'malformed', 'forged', 'stale'],
  ...['not_stored', 'too_many', 'too_large', 'incomplete'],
] as const;

/** Counts the events that the payment provider has sent, by outcome. */
export const measuredProviderEvents = (registry: Registry): ((outcome: string) => void) => {
  const counter = new Counter({
    name: 'portico_provider_events_received_total',
    help: 'Requests to the listener for events of the payment provider, by outcome. An accepted one says where to look.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const children = new Map<string, Counter.Internal>(
    outcomes.map((outcome) => [outcome, startingAtZero(counter.labels({ outcome }))]),
  );
  return (outcome) => children.get(outcome)?.inc();
};
