import type { AccessLogEntry, OnRejected, OnRequest } from '#adapters/http/request/access-log-entry.ts';
import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import { activeTracing } from '../process/tracing.ts';

type Counting = Pick<Metrics, 'requests'>;
type Logging = Pick<OpenLog, 'logRequest'>;

/** Counts and logs every request. */
export const recordRequests = (metrics: Counting, log: Logging): OnRequest => {
  const { started, finished } = metrics.requests;

  const tell = (exchange: AccessLogEntry, traceId: string | undefined): void => {
    finished(exchange);
    log.logRequest(exchange, traceId);
  };
  const untraced = (exchange: AccessLogEntry): void => tell(exchange, undefined);

  const traces = activeTracing();
  return () => {
    started();
    // Only while the request is being answered it is known which trace it belongs to.
    const traceId = traces?.traceId();
    return traceId === undefined ? untraced : (exchange) => tell(exchange, traceId);
  };
};

/** Counts and logs what was refused before it was a request. */
export const recordRejected =
  ({ requests }: Counting, log: Logging): OnRejected =>
  (exchange) => {
    requests.count(exchange);
    log.logRequest(exchange);
  };
