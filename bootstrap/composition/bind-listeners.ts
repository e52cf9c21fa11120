import type { Container } from 'inversify';
import { countPendingProcesses } from '#adapters/metrics/measured-database.ts';
import { recordRequests } from './access-log.ts';
import { openApiListener, openOpsListener, reloadCertificate } from './listeners.ts';
import { tokens as t } from './tokens.ts';

/** How long requests in flight may take to finish when a listener closes. `shutdown.ts` waits a little longer for each. */
const drainTimeoutMs = { api: 5_900, ops: 300 };

/** The API, the ops endpoints, and the certificate. */
export const bindListeners = (container: Container, apiDrainTimeoutMs = drainTimeoutMs.api): void => {
  container.bind(t.apiDependencies).toResolvedValue(
    (application, authenticator, rateLimiter, log, metrics) => ({
      application: { ...application, idempotency: metrics.idempotency(application.idempotency) },
      authenticator,
      rateLimiter,
      report: (error: unknown, requestId: string) =>
        log.error({ err: error, requestId }, 'A request failed.'),
      onRequest: recordRequests(metrics, log),
    }),
    [t.application, t.authenticator, t.rateLimiter, t.log, t.metrics],
  );

  container
    .bind(t.apiListener)
    .toResolvedValue(
      (config, apiDependencies, store, { signal: draining }, metrics, log) =>
        openApiListener({ config, apiDependencies, store, draining, metrics, log }),
      [t.config, t.apiDependencies, t.store, t.draining, t.metrics, t.log],
    )
    .onDeactivation((listener) => listener.close(apiDrainTimeoutMs));

  container
    .bind(t.certificate)
    .toResolvedValue(reloadCertificate, [t.config, t.timing, t.apiListener, t.log])
    .onDeactivation((certificate) => certificate?.stop());

  container
    .bind(t.opsListener)
    .toResolvedValue(
      async (
        config,
        apiDependencies,
        { url: apiUrl },
        docsKeys,
        store,
        { signal: draining },
        log,
        metrics,
        clock,
      ) => {
        if (config.ops === undefined) return undefined;
        metrics.store({
          connections: store.connections,
          pendingProcesses: countPendingProcesses({ ...store, clock }),
        });
        return openOpsListener({ config, apiDependencies, apiUrl, docsKeys, store, draining, metrics, log });
      },
      [
        t.config,
        t.apiDependencies,
        t.apiListener,
        t.docsKeys,
        t.store,
        t.draining,
        t.log,
        t.metrics,
        t.clock,
      ],
    )
    .onDeactivation((listener) => listener?.close(drainTimeoutMs.ops));
};
