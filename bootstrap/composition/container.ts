import { storeKindOf } from './ports/store-kind.ts';
import 'reflect-metadata';
import { Container } from 'inversify';
import { mintToken } from '#adapters/auth/key-authenticator.ts';
import { showFields } from '#adapters/http/v1/shown-fields.ts';
import { openMetrics } from '#adapters/metrics/metrics.ts';
import { randomSecret } from '#adapters/secrets/secret-keys.ts';
import { protectKey } from '#adapters/support/credentials.ts';
import { startBackgroundWorker } from '#adapters/system/background-worker.ts';
import { databaseClock } from '#adapters/system/database-clock.ts';
import { startEventNumbering } from '#adapters/system/event-numbering.ts';
import { idGenerator } from '#adapters/system/ids.ts';
import { type OpenLog, openLog, standardError } from '#adapters/system/log.ts';
import { readableLines } from '#adapters/system/readable-log.ts';
import { ensureOperator } from '#application/accounts/operator-account.ts';
import { createApplication } from '#application/application.ts';
import { concernedBy } from '#application/errors.ts';
import { FeedWatch } from '#application/events/feed-watch.ts';
import { type RecordingOptions, recordedUnitOfWork } from '#application/events/recorded-unit-of-work.ts';
import { type Config, secretsIn } from '../config/config.ts';
import { version } from '../process/version.ts';
import { bindWebhooks } from './bind-webhooks.ts';
import { bindListeners } from './listeners/bind-listeners.ts';
import { retryUntilReady } from './listeners/retry-until-ready.ts';
import { loadModules } from './modules/adapter-modules.ts';
import { loadRules } from './modules/load-rules.ts';
import { openAuthenticator, withModule } from './ports/open-authenticator.ts';
import { openProvider, withProviderTimeout } from './ports/open-provider.ts';
import { openRateLimiter } from './ports/open-rate-limiter.ts';
import { openStore } from './ports/open-store.ts';
import { openSecretBox, openWebhookSender } from './ports/open-webhooks.ts';
import { requireCapabilities } from './ports/required-capabilities.ts';
import { observingReconciliation, observingWebhooks, reporting } from './reports.ts';
import { docsKeys, operatorKey } from './static-credentials.ts';
import { type StartOptions, type Timing, tokens as t } from './tokens.ts';

interface ContainerOptions {
  readonly timing?: Timing | undefined;
  /** What causes the changes that no request waits for. */
  readonly causeKind?: RecordingOptions['causeKind'];
  readonly writeLog?: StartOptions['writeLog'];
}

/**
 * The composition root: binds every part once, with what it depends on. A part is created when it is first requested, exists once, and is closed when
 * it is unbound.
 */
export const containerFor = (
  config: Config,
  { timing = {}, causeKind = 'housekeeping', writeLog }: ContainerOptions = {},
): Container => {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(t.config).toConstantValue(config);
  container.bind(t.timing).toConstantValue(timing);
  container.bind(t.causeKind).toConstantValue(causeKind);
  container.bind(t.draining).toConstantValue(new AbortController());
  bindSystem(container, writeLog);
  bindApplication(container);
  bindAccess(container);
  bindListeners(container);
  return container;
};

/** How long a credential counts after it is revoked, at most. */
const credentialLifetimeMs = 5_000;

/** The log without secrets. While it is open, the operator's key counts as a credential wherever a client sends it. */
const openRedactedLog = async (config: Config, write: StartOptions['writeLog']): Promise<OpenLog> => {
  const format = await readableLines(config.logFormat, standardError);
  const log = openLog(config.logLevel, { secrets: secretsIn(config), format, write });
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
const bindSystem = (container: Container, writeLog: StartOptions['writeLog']): void => {
  container
    .bind(t.log)
    .toResolvedValue((config) => openRedactedLog(config, writeLog), [t.config])
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
      (store, untilReady, log, { clockAhead: ahead = () => 0 }) => {
        const report = (error: unknown) =>
          log.report(
            'warn',
            { err: error },
            'The time of the database is unavailable. The last known offset is used.',
          );
        return untilReady(() => databaseClock(() => store.now(), { report, ahead }));
      },
      [t.store, t.untilReady, t.log, t.timing],
    )
    .onDeactivation((clock) => clock.stop());

  container.bind(t.feedWatch).toResolvedValue(
    ({ unitOfWork }, log) => {
      const report = (error: unknown) =>
        log.report(
          'warn',
          { err: error },
          'The feed could not be read. The next try follows within a second.',
        );
      return new FeedWatch({ unitOfWork, report });
    },
    [t.store, t.log],
  );

  container
    .bind(t.eventNumbering)
    .toResolvedValue(
      (store, feedWatch, { events: observer }, log) => {
        const numberEvents = store.numberEvents?.bind(store);
        const report = (error: unknown) =>
          log.report(
            'warn',
            { err: error },
            'New events could not be numbered. The next try follows within a second.',
          );
        const onNumbered = () => feedWatch.notify();
        return numberEvents && startEventNumbering({ numberEvents, onNumbered, observer, report });
      },
      [t.store, t.feedWatch, t.metrics, t.log],
    )
    .onDeactivation((numbering) => numbering?.stop());

  // A store without a sequencer shows events with their commit.
  container.bind(t.onEvents).toResolvedValue(
    (numbering, feedWatch, { events }) =>
      (count) => {
        if (numbering) return numbering.wake();
        events.numbered(count);
        feedWatch.notify();
      },
    [t.eventNumbering, t.feedWatch, t.metrics],
  );

  container
    .bind(t.unitOfWork)
    .toResolvedValue(
      ({ unitOfWork }, clock, causeKind, onEvents) =>
        recordedUnitOfWork(unitOfWork, { clock, showFields, causeKind, onEvents }),
      [t.store, t.clock, t.causeKind, t.onEvents],
    );

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

  container.bind(t.secretBox).toResolvedValue(openSecretBox, [t.config]);

  container
    .bind(t.webhookSender)
    .toResolvedValue(openWebhookSender, [t.config, t.clock])
    .onDeactivation((sender) => sender.close());

  container.bind(t.application).toResolvedValue(
    async (config, timing, store, clock, newId, provider, metrics, log, causeKind, onEvents, box, sender) => {
      requireCapabilities(provider, config);
      const { times, useCases, paymentCapture: captureMethod } = config;
      const ports = {
        ...{ unitOfWork: store.unitOfWork, numberEvents: store.numberEvents?.bind(store) },
        ...{ clock, newId, mintToken, provider, captureMethod },
        ...reporting(metrics, log),
        ...observingReconciliation(metrics, log),
        webhookObserver: observingWebhooks(metrics, log),
        ...{ showFields, causeKind, onEvents },
        webhooks: { sender, box, randomSecret },
      };
      const erasureQuiet = timing.erasureQuietMs ?? credentialLifetimeMs + times.request;
      return createApplication(ports, { ...times, erasureQuiet }, useCases && (await loadRules(useCases)));
    },
    [
      t.config,
      t.timing,
      t.store,
      t.clock,
      t.newId,
      t.provider,
      t.metrics,
      t.log,
      t.causeKind,
      t.onEvents,
      t.secretBox,
      t.webhookSender,
    ],
  );

  bindWebhooks(container);

  container
    .bind(t.backgroundWorker)
    .toResolvedValue(
      ({ times }, { backgroundJobs }, newId, log, metrics) =>
        startBackgroundWorker(metrics.backgroundJobs(backgroundJobs), {
          name: newId(),
          reconcileAfterMilliseconds: times.reconcileAfter,
          report: (error) =>
            log.report(
              'warn',
              { err: error, ...concernedBy(error) },
              'A background job failed. The next run retries it.',
            ),
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
      (config, unitOfWork, newId) => docsKeys(config, unitOfWork, newId),
      [t.config, t.unitOfWork, t.newId],
    );

  container
    .bind(t.authenticator)
    .toResolvedValue(
      async (
        { adminApiKey, identityProvider, authenticator },
        { credentialTtlMs },
        unitOfWork,
        clock,
        newId,
        docsKeys,
        untilReady,
        log,
      ) => {
        const report = (error: unknown) =>
          log.report('warn', { err: error }, 'The time of use of an API key could not be saved.');
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
            log.report('warn', { err: error }, 'The keys of the identity provider could not be fetched.'),
        });
        return withModule(own, authenticator, { unitOfWork, now });
      },
      [t.config, t.timing, t.unitOfWork, t.clock, t.newId, t.docsKeys, t.untilReady, t.log],
    )
    .onDeactivation((authenticator) => authenticator.close?.());

  container
    .bind(t.rateLimiter)
    .toResolvedValue(
      async (config, { quotas }, clock, metrics) =>
        metrics.rateLimiter(await openRateLimiter(config, quotas, clock)),
      [t.config, t.store, t.clock, t.metrics],
    )
    .onDeactivation((limiter) => limiter.close?.());
};
