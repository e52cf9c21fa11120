import 'reflect-metadata';
import { Container } from 'inversify';
import { mintToken } from '#adapters/auth/key-authenticator.ts';
import { openMetrics } from '#adapters/metrics/metrics.ts';
import { protectKey } from '#adapters/support/credentials.ts';
import { startBackgroundWorker } from '#adapters/system/background-worker.ts';
import { databaseClock } from '#adapters/system/database-clock.ts';
import { idGenerator } from '#adapters/system/ids.ts';
import { type OpenLog, openLog, standardError } from '#adapters/system/log.ts';
import { readableLines } from '#adapters/system/readable-log.ts';
import { createApplication } from '#application/application.ts';
import { ensureOperator } from '#application/operator-account.ts';
import { type Config, secretsIn } from '../config/config.ts';
import { storeKindOf } from '../config/store-kinds.ts';
import { version } from '../process/version.ts';
import { loadModules } from './adapter-modules.ts';
import { bindListeners } from './bind-listeners.ts';
import { loadRules } from './load-rules.ts';
import { openAuthenticator, withModule } from './open-authenticator.ts';
import { openProvider, requireCapturing, requireEvents, withProviderTimeout } from './open-provider.ts';
import { openRateLimiter } from './open-rate-limiter.ts';
import { openStore } from './open-store.ts';
import { observingLookUps } from './report-look-ups.ts';
import { reporting } from './report-mismatch.ts';
import { retryUntilReady } from './retry-until-ready.ts';
import { docsKeys, operatorKey } from './static-credentials.ts';
import { type Timing, tokens as t } from './tokens.ts';

/**
 * Binds every part once, with what it depends on. A part is created when it is first requested, exists once, and is closed when
 * it is unbound.
 */
export const containerFor = (config: Config, timing: Timing = {}): Container => {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(t.config).toConstantValue(config);
  container.bind(t.timing).toConstantValue(timing);
  container.bind(t.draining).toConstantValue(new AbortController());
  bindSystem(container);
  bindApplication(container);
  bindAccess(container);
  bindListeners(container, timing.apiDrainTimeoutMs);
  return container;
};

/** How long a credential counts after it is revoked, at most. */
const credentialLifetimeMs = 5_000;

/** The log without secrets. While it is open, the operator's key counts as a credential wherever a client sends it. */
const openRedactedLog = async (config: Config): Promise<OpenLog> => {
  const format = await readableLines(config.logFormat, standardError);
  const log = openLog(config.logLevel, { secrets: secretsIn(config), format });
  const release = protectKey(config.adminApiKey);
  return {
    ...log,
    close: () => {
      release();
      return log.close();
    },
  };
};

/** Log, metrics, store, clock and ids. */
const bindSystem = (container: Container): void => {
  container
    .bind(t.log)
    .toResolvedValue(openRedactedLog, [t.config])
    .onDeactivation((log) => log.close());

  container.bind(t.metrics).toResolvedValue(
    ({ database, payment }, log) => {
      const metrics = openMetrics({ version, database: database.kind, provider: payment.provider });
      metrics.counter(
        'portico_log_lines_dropped_total',
        'Log lines dropped because standard error was not read.',
        log.dropped,
      );
      return metrics;
    },
    [t.config, t.log],
  );

  container
    .bind(t.untilReady)
    .toResolvedValue(
      ({ database }, log) =>
        retryUntilReady(storeKindOf(database), (reason) =>
          log.warn({ reason }, 'The database is not ready. The start waits for it.'),
        ),
      [t.config, t.log],
    );

  container
    .bind(t.store)
    .toResolvedValue(
      async (config, untilReady) => {
        // Before the store, so that a module that cannot be used changes nothing.
        await loadModules(config);
        return untilReady(() => openStore(config.database));
      },
      [t.config, t.untilReady],
    )
    .onDeactivation((store) => store.close());

  container
    .bind(t.clock)
    .toResolvedValue(
      (store, untilReady, log) => {
        const report = (error: unknown) =>
          log.warn({ err: error }, 'The time of the database is unavailable. The last known offset is used.');
        return untilReady(() => databaseClock(() => store.now(), { report }));
      },
      [t.store, t.untilReady, t.log],
    )
    .onDeactivation((clock) => clock.stop());

  container.bind(t.newId).toResolvedValue(({ milliseconds }) => idGenerator(milliseconds), [t.clock]);
};

/** The payment provider, the use cases, and their background jobs. */
const bindApplication = (container: Container): void => {
  container
    .bind(t.openedProvider)
    .toResolvedValue(
      ({ payment, times }, { sandboxLedger: ledger }, clock, log) =>
        openProvider(payment, { ledger, clock }, times.payment, (message) => log.warn(message)),
      [t.config, t.store, t.clock, t.log],
    )
    .onDeactivation((provider) => provider.close?.());

  container
    .bind(t.provider)
    .toResolvedValue(
      ({ times }, provider, metrics) => metrics.provider(withProviderTimeout(provider, times.payment)),
      [t.config, t.openedProvider, t.metrics],
    );

  container.bind(t.application).toResolvedValue(
    async (
      { times, useCases, paymentCapture: captureMethod, providerEvents },
      timing,
      { unitOfWork },
      clock,
      newId,
      provider,
      metrics,
      log,
    ) => {
      requireCapturing(provider, captureMethod);
      requireEvents(provider, providerEvents);
      const ports = {
        ...{ unitOfWork, clock, newId, mintToken, provider, captureMethod },
        ...reporting(metrics, log),
        ...observingLookUps(metrics, log),
      };
      const erasureQuiet = timing.erasureQuietMs ?? credentialLifetimeMs + times.request;
      return createApplication(ports, { ...times, erasureQuiet }, useCases && (await loadRules(useCases)));
    },
    [t.config, t.timing, t.store, t.clock, t.newId, t.provider, t.metrics, t.log],
  );

  container
    .bind(t.backgroundWorker)
    .toResolvedValue(
      ({ times }, { backgroundJobs }, newId, log, metrics) =>
        startBackgroundWorker(metrics.backgroundJobs(backgroundJobs), {
          name: newId(),
          reconcileAfterMilliseconds: times.reconcileAfter,
          report: (error) => log.warn({ err: error }, 'A background job failed. The next run retries it.'),
        }),
      [t.config, t.application, t.newId, t.log, t.metrics],
    )
    .onDeactivation((backgroundWorker) => backgroundWorker.stop());
};

/** Who may call, and how often. */
const bindAccess = (container: Container): void => {
  container
    .bind(t.docsKeys)
    .toResolvedValue(
      (config, { unitOfWork }, newId) => docsKeys(config, unitOfWork, newId),
      [t.config, t.store, t.newId],
    );

  container
    .bind(t.authenticator)
    .toResolvedValue(
      async (
        { adminApiKey, identityProvider, authenticator },
        { credentialTtlMs },
        { unitOfWork },
        clock,
        newId,
        docsKeys,
        untilReady,
        log,
      ) => {
        const report = (error: unknown) =>
          log.warn({ err: error }, 'The time of use of an API key could not be saved.');
        const ensureUser = () => ensureOperator({ unitOfWork, clock, newId });
        if (adminApiKey !== undefined) await untilReady(ensureUser);
        const ofOperator = adminApiKey === undefined ? [] : [operatorKey(adminApiKey, ensureUser)];
        const keys = { unitOfWork, clock, report, staticKeys: [...ofOperator, ...docsKeys], credentialTtlMs };
        const now = clock.milliseconds;
        const own = await openAuthenticator(keys, {
          provider: identityProvider,
          now,
          newId,
          onRejected: (reason) => log.debug({ reason }, 'A token was rejected.'),
          onUnavailable: (error) =>
            log.warn({ err: error }, 'The keys of the identity provider could not be fetched.'),
        });
        return withModule(own, authenticator, { unitOfWork, now });
      },
      [t.config, t.timing, t.store, t.clock, t.newId, t.docsKeys, t.untilReady, t.log],
    )
    .onDeactivation((authenticator) => authenticator.close?.());

  container
    .bind(t.rateLimiter)
    .toResolvedValue(
      async (config, { quotas }, { milliseconds }, metrics) =>
        metrics.rateLimiter(await openRateLimiter(config, quotas, milliseconds)),
      [t.config, t.store, t.clock, t.metrics],
    )
    .onDeactivation((limiter) => limiter.close?.());
};
