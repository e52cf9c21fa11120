import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { NumberingObserver } from '#application/events/numbering-observer.ts';
import { startingAtZero } from './measured-requests.ts';

/** Upper bounds of the delay between a commit and its numbers, in seconds. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts the events that this process numbers, and measures how long its own have waited for that. */
export const measuredEvents = (registry: Registry): NumberingObserver => {
  const registers = [registry];
  const numbered = startingAtZero(
    new Counter({
      name: 'portico_events_numbered_total',
      help: 'Events that this process has numbered, so that readers see them. Any process may number the events of another.',
      registers,
    }).labels(),
  );
  const delay = new Histogram({
    name: 'portico_event_numbering_delay_seconds',
    help: 'Time between the commit of events and their numbers, in the process that has committed them. On SQLite and in memory there is none.',
    buckets,
    registers,
  });
  let since: number | undefined;
  new Gauge({
    name: 'portico_events_unnumbered_seconds',
    help: 'How long the oldest event that this process has committed has waited for its number; 0 when none waits.',
    registers,
    collect() {
      this.set(since === undefined ? 0 : (performance.now() - since) / 1000);
    },
  });
  return {
    numbered: (count, delayMs) => {
      numbered.inc(count);
      if (delayMs !== undefined) delay.observe(delayMs / 1000);
    },
    waiting: (at) => {
      since = at;
    },
  };
};
