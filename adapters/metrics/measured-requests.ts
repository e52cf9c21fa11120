import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type UnavailableReason, unavailableReasons } from '#application/errors.ts';
import type { RateLimiter } from '#application/ports/rate-limiter.ts';

/** A finished request, as far as the metrics count it. */
interface FinishedRequest {
  /** From a closed set: a label's values must stay few. */
  readonly method: string;
  /** From a closed set: the pattern of a path, or why there is none. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly waitedMs: number;
  /** Why the status is 503, if it is. */
  readonly unavailableReason: UnavailableReason | undefined;
}

/** The bound children of one method and route. */
interface RouteMetrics {
  readonly method: string;
  readonly route: string;
  readonly duration: Histogram.Internal<'method' | 'route'>;
  readonly byStatus: Map<number, Counter.Internal>;
}

/** Upper bounds in seconds, from a read out of memory to a timeout. */
export const durationBuckets = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Counts requests. It runs for each of them, so it keeps the bound child of every label set that it has met. */
export const measuredRequests = (registry: Registry) => {
  const registers = [registry];
  const requests = new Counter({
    name: 'portico_http_requests_total',
    help: 'Finished requests. Status 499: the client closed the connection before the response.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'portico_http_request_duration_seconds',
    help: 'From the complete header of a request until its response was handed to the operating system, without the time for which it waited for a change.',
    labelNames: ['method', 'route'],
    buckets: durationBuckets,
    registers,
  });
  const unavailable = new Counter({
    name: 'portico_unavailable_responses_total',
    help: 'Responses with status 503, by their reason.',
    labelNames: ['reason'],
    registers,
  });
  const byReason = new Map(
    unavailableReasons.map((reason) => [
      reason,
      startingAtZero(unavailable.labels({ reason: reason.replaceAll('-', '_') })),
    ]),
  );
  const unauthenticated = startingAtZero(
    new Counter({
      name: 'portico_authentication_failures_total',
      help: 'Requests with status 401: without a credential, or with one that is unknown, revoked or expired.',
      registers,
    }).labels(),
  );
  let inFlight = 0;
  let countWaiting = () => 0;
  new Gauge({
    name: 'portico_http_requests_in_flight',
    help: 'Requests that are being processed, without those that wait.',
    registers,
    collect() {
      this.set(inFlight - countWaiting());
    },
  });
  new Gauge({
    name: 'portico_http_requests_waiting',
    help: 'Requests that wait for an event or another change, as their clients prefer (Prefer: wait).',
    registers,
    collect() {
      this.set(countWaiting());
    },
  });

  const byRoute = new Map<string, Map<string, RouteMetrics>>();

  const addRoute = (method: string, route: string): RouteMetrics => {
    const added = { method, route, duration: durations.labels({ method, route }), byStatus: new Map() };
    const byMethod = byRoute.get(route) ?? new Map<string, RouteMetrics>();
    byRoute.set(route, byMethod.set(method, added));
    return added;
  };

  const addStatus = ({ method, route, byStatus }: RouteMetrics, status: number): Counter.Internal => {
    const counter = requests.labels({ method, route, status: `${status}` });
    byStatus.set(status, counter);
    return counter;
  };

  const count = ({
    method,
    route,
    status,
    milliseconds,
    waitedMs,
    unavailableReason,
  }: FinishedRequest): void => {
    const metrics = byRoute.get(route)?.get(method) ?? addRoute(method, route);
    const counter = metrics.byStatus.get(status) ?? addStatus(metrics, status);
    counter.inc();
    metrics.duration.observe((milliseconds - waitedMs) / 1000);
    if (unavailableReason !== undefined) byReason.get(unavailableReason)?.inc();
    if (status === 401) unauthenticated.inc();
  };

  return {
    started: (): void => {
      inFlight += 1;
    },
    finished: (request: FinishedRequest): void => {
      inFlight -= 1;
      count(request);
    },
    /** @param count returns how many requests wait, called at each scrape */
    waiting: (count: () => number): void => {
      countWaiting = count;
    },
    /** Counts a request that was rejected before `started`, such as one that no parser could read. */
    count,
  };
};

const shedReasons = ['in-flight', 'event-loop', 'store'] as const;

/** Counts requests that load shedding rejected, by the limit that was exceeded. */
export const measuredLoadShedding = (
  registry: Registry,
): ((reason: (typeof shedReasons)[number]) => void) => {
  const shed = new Counter({
    name: 'portico_http_requests_shed_total',
    help: 'Requests rejected unread by load shedding: too many in flight, a late event loop, or a slow store.',
    labelNames: ['reason'],
    registers: [registry],
  });
  const byReason = new Map(
    shedReasons.map((reason) => [reason, startingAtZero(shed.labels({ reason: reason.replace('-', '_') }))]),
  );
  return (reason) => byReason.get(reason)?.inc();
};

/** Counts the decisions of a rate limiter. */
export const measuredRateLimiter = (registry: Registry) => {
  const decisions = new Counter({
    name: 'portico_rate_limit_decisions_total',
    help: 'Requests that the rate limit allowed or denied.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const allowed = startingAtZero(decisions.labels({ outcome: 'allowed' }));
  const denied = startingAtZero(decisions.labels({ outcome: 'denied' }));
  return <Limiter extends RateLimiter>(limiter: Limiter): Limiter => ({
    ...limiter,
    consume: async (key, limit) => {
      const allowance = await limiter.consume(key, limit);
      (allowance.allowed ? allowed : denied).inc();
      return allowance;
    },
  });
};

/** Makes the series of a counter exist before its first event: only then can an alert see it grow from 0. */
export const startingAtZero = (counter: Counter.Internal): Counter.Internal => {
  counter.inc(0);
  return counter;
};
