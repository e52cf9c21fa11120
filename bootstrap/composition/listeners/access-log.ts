import type { AccessLogEntry, OnRejected, OnRequest } from '#adapters/http/request/access-log-entry.ts';
import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { OpenLog } from '#adapters/system/log.ts';

type RequestMetrics = Pick<Metrics, 'requests'>;
type AccessLog = Pick<OpenLog, 'logRequest'>;

/** Counts and logs every request, with its trace if the process is traced. */
export const recordRequests = (metrics: RequestMetrics, log: AccessLog): OnRequest => {
  const { started, finished } = metrics.requests;
  const record = (entry: AccessLogEntry, traceId: string | undefined): void => {
    finished(entry);
    log.logRequest(entry, traceId);
  };
  const recordUntraced = (entry: AccessLogEntry): void => record(entry, undefined);

  const tracing = activeTracing();
  return () => {
    started();
    // The span is active now, and no longer when the response has been sent.
    const traceId = tracing?.traceId();
    return traceId === undefined ? recordUntraced : (entry) => record(entry, traceId);
  };
};

/** Counts and logs requests that were rejected before a handler saw them. */
export const recordRejected =
  ({ requests }: RequestMetrics, log: AccessLog): OnRejected =>
  (entry) => {
    requests.count(entry);
    log.logRequest(entry);
  };

/** What the OpenTelemetry preload offers to the process. */
interface Tracing {
  /** The trace of the request in progress. */
  readonly traceId: () => string | undefined;
  /** Sends the spans that are still buffered. */
  readonly end: () => Promise<void>;
}

/** Undefined unless the process was started with `--import ./bootstrap/process/opentelemetry.mjs`. */
export const activeTracing = (): Tracing | undefined =>
  (globalThis as { readonly [tracing]?: Tracing })[tracing];

const tracing = Symbol.for('portico.traces');
