import { Metrics } from '../../support/metrics.ts';
import type { Service } from './service.ts';

/** The variables of a service of which `untilWaiting` asks. */
export const observed = { OPS_PORT: 'free' };

/** Resolves once so many requests wait in a service (`Prefer: wait`). */
export const untilWaiting = async (service: Service, count: number): Promise<void> => {
  await service.until(
    async () => (await Metrics.of(service.opsUrl)).value('portico_http_requests_waiting'),
    (waiting) => waiting === count,
  );
};

/** A result, and the milliseconds that it has taken. */
export const timed = async <T>(work: Promise<T>): Promise<readonly [T, number]> => {
  const begun = performance.now();
  const result = await work;
  return [result, performance.now() - begun];
};

/** Long enough for a request to another process to begin to wait, in milliseconds. */
export const untilItWaits = 150;
