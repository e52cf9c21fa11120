import { collectDefaultMetrics, Registry } from 'prom-client';

/** How often the event loop is asked whether it is late, in milliseconds. */
const precision = 20;

let registry: Registry | undefined;

/** Memory, processor, event loop and garbage of this process: measured from the first start of an app, and once for all. */
export const processRegistry = (): Registry => {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: precision });
  }
  return registry;
};
