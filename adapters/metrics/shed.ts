import { cellCounter, type Register } from './series.ts';

const reasons = ['in-flight', 'event-loop', 'store'] as const;

/** Counts requests that were not let in, by what there was too much of. */
export const countShed = (register: Register): ((reason: (typeof reasons)[number]) => void) => {
  const shed = cellCounter(register, {
    name: 'portico_http_requests_shed_total',
    help: 'Requests that were refused unread because there was too much to do: in all, for the event loop, or for the store.',
  });
  const byReason = new Map(reasons.map((reason) => [reason, shed({ reason: reason.replace('-', '_') })]));
  return (reason) => {
    const cell = byReason.get(reason);
    if (cell) cell.count += 1;
  };
};
