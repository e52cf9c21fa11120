import { appending, appendingLater, tellingReplays } from './event-planting.ts';
import type { Fault } from './fault.ts';

/** Faults of the feed of events. */
export const eventFaults: Readonly<Record<string, Fault>> = {
  'an event outside of its transaction': {
    planted: { ports: (given) => ({ ...given, unitOfWork: appendingLater(given.unitOfWork) }) },
    sign: /has no event in its transaction/,
  },
  'two events for one version': {
    planted: { ports: (given) => appending(given, (events) => [...events, ...events.slice(-1)]) },
    sign: /has several events/,
  },
  'an event for a replay': {
    planted: { ports: tellingReplays },
    sign: /has an event for no change/,
  },
  'an event that is forgotten': {
    planted: {
      ports: (given) => appending(given, (events) => events.filter(({ type }) => type !== 'order.paid')),
    },
    sign: /has no event in its transaction/,
  },
  'an event that tells what is not stored': {
    planted: {
      ports: (given) =>
        appending(given, (events) =>
          events.map((event) =>
            event.type.startsWith('refund.') ? { ...event, data: { ...event.data, version: 0 } } : event,
          ),
        ),
    },
    sign: /last events that differ from their resource: event \d+, refund/,
  },
};
