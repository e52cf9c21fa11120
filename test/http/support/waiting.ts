import { Metrics } from '../../support/metrics.ts';
import { until } from '../../support/until.ts';
import type { Service } from './service.ts';

/** The variables of a service of which `untilWaiting` asks. */
export const observed = { OPS_PORT: 'free' };

const waitingAt = async (opsUrl: string): Promise<number> =>
  (await Metrics.of(opsUrl)).value('portico_http_requests_waiting');

/** Resolves once so many requests wait in a service (`Prefer: wait`). */
export const untilWaiting = async (service: Service, count: number): Promise<void> => {
  await service.until(
    () => waitingAt(service.opsUrl),
    (waiting) => waiting === count,
  );
};

/** The same in another process. */
export const untilWaitingAt = async (opsUrl: string, count: number): Promise<void> => {
  await until(
    () => waitingAt(opsUrl),
    (waiting) => waiting === count,
    30_000,
  );
};
