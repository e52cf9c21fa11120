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
