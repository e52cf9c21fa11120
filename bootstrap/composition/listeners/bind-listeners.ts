import type { Container } from 'inversify';
import { WaitingRequests } from '#adapters/http/waiting/waiting-requests.ts';
import { countPendingProcesses } from '#adapters/metrics/measured-database.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import { concernedBy, UnavailableError } from '#application/errors.ts';
import { tokens as t } from '../tokens.ts';
import { recordRequests } from './access-log.ts';
import { openApiListener, openOpsListener, openPagesListener, reloadCertificate } from './listeners.ts';
import { openProviderEventsListener } from './provider-events.ts';

/** How long requests in flight may take to finish when a listener closes, in milliseconds. `shutdown.ts` waits a little longer for each. */
const drainTimeoutMs = { api: 5_900, ops: 300 };

/** The listeners for the API, for its docs and for operators, and their certificate. */
export const bindListeners = (container: Container): void => {
  container.bind(t.apiDependencies).toResolvedValue(
    (application, authenticator, rateLimiter, waitingRequests, log, metrics) => ({
      application: { ...application, idempotency: metrics.idempotency(application.idempotency) },
      authenticator,
      rateLimiter,
      waitingRequests,
      report: reportFailedRequest(log),
      onRequest: recordRequests(metrics, log),
    }),
    [t.application, t.authenticator, t.rateLimiter, t.waitingRequests, t.log, t.metrics],
  );

  container.bind(t.waitingRequests).toResolvedValue(
    ({ maxWaiting: max }, feed, { signal: draining }, metrics) => {
      const waitingRequests = new WaitingRequests({ max, feed, draining });
      metrics.requests.waiting(() => waitingRequests.count);
      return waitingRequests;
    },
    [t.config, t.feedWatch, t.draining, t.metrics],
  );

  container.bind(t.serving).toResolvedValue(
    (config, apiDependencies, store, { signal: draining }, metrics, log) => ({
      config,
      apiDependencies,
      store,
      draining,
      metrics,
      log,
    }),
    [t.config, t.apiDependencies, t.store, t.draining, t.metrics, t.log],
  );

  container
    .bind(t.apiListener)
    .toResolvedValue(openApiListener, [t.serving])
    .onDeactivation((listener) => listener.close(drainTimeoutMs.api));

  container
    .bind(t.pagesListener)
    .toResolvedValue(
      (serving, { url: apiUrl }) => openPagesListener({ ...serving, apiUrl }),
      [t.serving, t.apiListener],
    )
    .onDeactivation((listener) => listener?.close(drainTimeoutMs.api));

  container
    .bind(t.providerEventsListener)
    .toResolvedValue(
      (serving, { receiveEvent }, { reconcileDue }) =>
        openProviderEventsListener({ ...serving, receiveEvent, reconcileDue }),
      [t.serving, t.application, t.backgroundWorker],
    )
    .onDeactivation((listener) => listener?.close(drainTimeoutMs.api));

  container
    .bind(t.certificate)
    .toResolvedValue(
      (config, apiListener, pagesListener, eventsListener, log) =>
        reloadCertificate(config, [apiListener, pagesListener, eventsListener], log),
      [t.config, t.apiListener, t.pagesListener, t.providerEventsListener, t.log],
    )
    .onDeactivation((certificate) => certificate?.stop());

  container
    .bind(t.opsListener)
    .toResolvedValue(
      async (serving, { url: apiUrl }, docsKeys, clock) => {
        const { config, metrics, store } = serving;
        if (config.ops === undefined) return undefined;
        metrics.store({
          connections: store.connections,
          pendingProcesses: countPendingProcesses({ ...store, clock }),
        });
        return openOpsListener({ ...serving, apiUrl, docsKeys });
      },
      [t.serving, t.apiListener, t.docsKeys, t.clock],
    )
    .onDeactivation((listener) => listener?.close(drainTimeoutMs.ops));
};

/**
 * Logs a request with a status from 500 on, with the payment and the order that a failed call of the provider was about. Of requests that
 * cannot be served for the same reason there is no line for each: that of the access log has the reason.
 */
export const reportFailedRequest =
  (log: Pick<OpenLog, 'error' | 'report'>) =>
  (error: unknown, requestId: string): void => {
    const fields = { err: error, requestId, ...concernedBy(error) };
    if (error instanceof UnavailableError) log.report('error', fields, 'A request failed.');
    else log.error(fields, 'A request failed.');
  };
