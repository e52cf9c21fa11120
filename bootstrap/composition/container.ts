import 'reflect-metadata';
import { Container } from 'inversify';
import { mintToken } from '#adapters/auth/key-authenticator.ts';
import { api } from '#adapters/http/api.ts';
import { commonHeaders } from '#adapters/http/request/common-headers.ts';
import { listen } from '#adapters/http/server/server.ts';
import { describeApi } from '#adapters/http/versions.ts';
import { openMetrics } from '#adapters/metrics/metrics.ts';
import { docsHandler } from '#adapters/ops/docs/handler.ts';
import { opsHandler } from '#adapters/ops/listener.ts';
import { type Asset, createAsset } from '#adapters/ops/responses.ts';
import { withProviderTimeout } from '#adapters/payment/deadline.ts';
import { fixedWindowLimiter } from '#adapters/rate-limit/fixed-window.ts';
import { leasedWindowLimiter } from '#adapters/rate-limit/leased-window.ts';
import { startBackgroundWorker } from '#adapters/system/background-worker.ts';
import { watchCertificate } from '#adapters/system/certificate-watcher.ts';
import { databaseClock } from '#adapters/system/database-clock.ts';
import { idGenerator } from '#adapters/system/ids.ts';
import { openLog } from '#adapters/system/log.ts';
import { createApplication } from '#application/application.ts';
import { ensureOperator } from '#application/operator-account.ts';
import type { Config } from '../config/config.ts';
import { secretsIn } from '../config/config.ts';
import { isLoopback } from '../config/env-parser.ts';
import { version } from '../process/version.ts';
import { recordRejected, recordRequests } from './access-log.ts';
import { openAuthenticator } from './open-authenticator.ts';
import { openProvider } from './open-provider.ts';
import { openStore } from './open-store.ts';
import { pendingPayments } from './pending-payments-metric.ts';
import { readiness } from './readiness.ts';
import { docsKeys, operatorKey, usableTokens } from './static-credentials.ts';
import { type Limiter, tokens } from './tokens.ts';

/**
 * How long what is under way may take to finish when a listener is closed, in milliseconds: all that there is in ten
 * seconds, once the usual drain is over and with what the other parts may take to close.
 */
const timeToFinish = { api: 5_900, ops: 300 };

/**
 * Names every part once, with what it is made of. Nothing is made before it is asked for, each is made once, and
 * what is taken out of the container is closed.
 */
export const containerFor = (config: Config): Container => {
  const container = new Container({ defaultScope: 'Singleton' });
  const t = tokens;

  container.bind(t.config).toConstantValue(config);
  container.bind(t.draining).toConstantValue(new AbortController());
  container
    .bind(t.log)
    .toResolvedValue((settings) => openLog(settings.logLevel, { secrets: secretsIn(settings) }), [t.config])
    .onDeactivation((log) => log.close());

  container.bind(t.metrics).toResolvedValue(
    ({ database, payment }, log) => {
      const metrics = openMetrics({ version, database: database.kind, provider: payment.provider });
      metrics.counter('portico_log_lines_dropped_total', 'Lines of the log that nobody took.', log.dropped);
      return metrics;
    },
    [t.config, t.log],
  );

  container
    .bind(t.store)
    .toResolvedValue(({ database }) => openStore(database), [t.config])
    .onDeactivation((store) => store.close());

  container
    .bind(t.clock)
    .toResolvedValue(
      (store, log) =>
        databaseClock(() => store.now(), {
          report: (error) => log.warn({ err: error }, 'The database could not be asked for the time.'),
        }),
      [t.store, t.log],
    )
    .onDeactivation((clock) => clock.stop());

  container.bind(t.newId).toResolvedValue(({ milliseconds }) => idGenerator(milliseconds), [t.clock]);

  container
    .bind(t.provider)
    .toResolvedValue(
      async ({ payment, times }, { sandboxLedger }, metrics) =>
        metrics.provider(
          withProviderTimeout(await openProvider(payment, sandboxLedger, times.payment), times.payment),
        ),
      [t.config, t.store, t.metrics],
    );

  container
    .bind(t.portico)
    .toResolvedValue(
      ({ times }, { unitOfWork }, clock, newId, provider) =>
        createApplication({ unitOfWork, clock, newId, mintToken, provider }, times),
      [t.config, t.store, t.clock, t.newId, t.provider],
    );

  container
    .bind(t.docsKeys)
    .toResolvedValue(
      (config, { unitOfWork }, newId) => docsKeys(config, unitOfWork, newId),
      [t.config, t.store, t.newId],
    );

  container.bind(t.authenticator).toResolvedValue(
    async ({ adminApiKey, identityProvider }, { unitOfWork }, clock, newId, docsKeys, log) => {
      const report = (error: unknown) => log.warn({ err: error }, 'The use of an API key was not noted.');
      const ensureUser = () => ensureOperator({ unitOfWork, clock, newId });
      if (adminApiKey !== undefined) await ensureUser();
      const ofOperator = adminApiKey === undefined ? [] : [operatorKey(adminApiKey, ensureUser)];
      const keys = { unitOfWork, clock, report, staticKeys: [...ofOperator, ...docsKeys] };
      return openAuthenticator(keys, {
        provider: identityProvider,
        now: clock.milliseconds,
        refused: (reason) => log.debug({ reason }, 'A token was refused.'),
        reportAway: (error) =>
          log.warn({ err: error }, 'The keys of the identity provider could not be had.'),
      });
    },
    [t.config, t.store, t.clock, t.newId, t.docsKeys, t.log],
  );

  container
    .bind(t.rateLimiter)
    .toResolvedValue(
      ({ rateLimit, database }, { quotas }, { milliseconds }, metrics) => {
        // A file answers readers while its disk is full, or another process writes.
        const withoutStore = database.kind === 'sqlite' ? 'count alone' : 'refuse';
        const limiter: Limiter =
          quotas === undefined
            ? fixedWindowLimiter({ ...rateLimit, now: milliseconds })
            : leasedWindowLimiter({
                ...rateLimit,
                quotas: quotas(rateLimit),
                now: milliseconds,
                withoutStore,
              });
        return metrics.rateLimiter(limiter);
      },
      [t.config, t.store, t.clock, t.metrics],
    )
    .onDeactivation((limiter) => limiter.close?.());

  container.bind(t.apiParts).toResolvedValue(
    (theApplication, authenticator, rateLimiter, log, metrics) => ({
      portico: { ...theApplication, idempotency: metrics.idempotency(theApplication.idempotency) },
      authenticator,
      rateLimiter,
      report: (error: unknown, requestId: string) =>
        log.error({ err: error, requestId }, 'A request failed.'),
      onRequest: recordRequests(metrics, log),
    }),
    [t.portico, t.authenticator, t.rateLimiter, t.log, t.metrics],
  );

  container
    .bind(t.apiListener)
    .toResolvedValue(
      (config, parts, store, { signal: draining }, metrics, log) => {
        const handle = api(parts, { ...config, transport: config.behindProxy ? 'proxied' : 'private' });
        const onRejected = recordRejected(metrics, log);
        const limits = {
          maxInFlight: config.maxInFlight,
          storeDelay: store.queueDelay,
          onShed: metrics.shed,
        };
        const headers = commonHeaders(config.crossOrigin);
        return listen(handle.callback(), { ...config, headers, draining, limits, onRejected });
      },
      [t.config, t.apiParts, t.store, t.draining, t.metrics, t.log],
    )
    .onDeactivation((listener) => listener.close(timeToFinish.api));

  container
    .bind(t.certificate)
    .toResolvedValue(
      ({ tls }, { setCertificate }, log) =>
        tls &&
        watchCertificate(tls, {
          use: (pair) => {
            setCertificate(pair);
            log.info('The certificate has been replaced.');
          },
          report: (error) =>
            log.error({ err: error }, 'The new certificate cannot be used; the one before goes on.'),
          warn: (says) => log.warn(`The certificate ${says}.`),
        }),
      [t.config, t.apiListener, t.log],
    )
    .onDeactivation((certificate) => certificate?.stop());

  // On this machine, whoever reaches it is past the proxy. From elsewhere they come in the clear, so there it answers
  // for health alone.
  container
    .bind(t.opsListener)
    .toResolvedValue(
      async (config, parts, { url: apiUrl }, keys, store, stopping, log, metrics, clock) => {
        if (config.ops === undefined) return undefined;
        metrics.store({ connections: store.connections, unfinished: pendingPayments({ ...store, clock }) });
        const { signal: leaving } = stopping;
        const findUnreadyReason = readiness(
          store,
          () => leaving.aborted,
          (error) => log.warn({ err: error }, 'Not ready: the store does not answer.'),
        );
        const isPrivate = isLoopback(config.ops.host);
        const docs = docsHandler({
          version,
          apiUrl: isLoopback(config.host) ? apiUrl : undefined,
          canSend: isPrivate,
          findKeys: keys.length > 0 ? () => usableTokens(keys) : undefined,
          isLocal: isLoopback,
          report: (error) => log.error({ err: error }, 'The docs page could not be shown.'),
        });
        // Made when somebody asks for it: 30 ms that a start does not wait for.
        let document: Promise<Asset> | undefined;
        const handle = opsHandler({
          findUnreadyReason,
          document: () => {
            document ??= createAsset('application/json', JSON.stringify(describeApi(parts.portico.useCases)));
            return document;
          },
          docs,
          metrics: () =>
            metrics.page().catch((error: unknown) => {
              log.error({ err: error }, 'The metrics could not be told.');
              throw error;
            }),
          api: api(parts, { ...config, transport: isPrivate ? 'private' : 'clear' }).callback(),
        });
        return listen(handle, {
          ...config.ops,
          headers: commonHeaders(config.crossOrigin),
          draining: leaving,
        });
      },
      [t.config, t.apiParts, t.apiListener, t.docsKeys, t.store, t.draining, t.log, t.metrics, t.clock],
    )
    .onDeactivation((listener) => listener?.close(timeToFinish.ops));

  container
    .bind(t.housekeeper)
    .toResolvedValue(
      ({ times }, { backgroundJobs }, newId, log, metrics) =>
        startBackgroundWorker(metrics.backgroundJobs(backgroundJobs), {
          name: newId(),
          reconcileAfterMilliseconds: times.reconcileAfter,
          report: (error) => log.warn({ err: error }, 'Housekeeping left something for the next round.'),
        }),
      [t.config, t.portico, t.newId, t.log, t.metrics],
    )
    .onDeactivation((housekeeper) => housekeeper.stop());

  return container;
};
