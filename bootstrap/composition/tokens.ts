import type { ServiceIdentifier } from 'inversify';
import type { ApiDependencies } from '#adapters/http/api.ts';
import type { Listener } from '#adapters/http/server/server.ts';
import type { WaitingRequests } from '#adapters/http/waiting/waiting-requests.ts';
import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { Store } from '#adapters/persistence/store.ts';
import type { startBackgroundWorker } from '#adapters/system/background-worker.ts';
import type { watchCertificate } from '#adapters/system/certificate-watcher.ts';
import type { DatabaseClock } from '#adapters/system/database-clock.ts';
import type { EventNumbering } from '#adapters/system/event-numbering.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import type { WebhookWorker } from '#adapters/webhooks/delivery/worker.ts';
import type { HttpWebhookSender } from '#adapters/webhooks/sender.ts';
import type { Application } from '#application/application.ts';
import type { FeedWatch } from '#application/events/feed-watch.ts';
import type { RecordingOptions } from '#application/events/recorded-unit-of-work.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import type { SecretBox } from '#application/ports/secret-box.ts';
import type { NewId } from '#application/ports/system.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Config } from '../config/config.ts';
import type { RetryUntilReady } from './listeners/retry-until-ready.ts';
import type { DocsKey } from './static-credentials.ts';

/** A part that may hold something open, such as leased quota or connections, which it gives back when it is closed. */
export type Closable<T> = T & { close?(): Promise<void> };

/**
 * Lifetimes and timeouts that no setting changes, in milliseconds. Each part has its own default; a test sets shorter ones so
 * that it need not wait.
 */
export interface Timing {
  /** How long a credential is cached: a bound on how long it still works after it is revoked. */
  readonly credentialTtlMs?: number;
  /** How long after an erasure has locked a user their last requests may still write. */
  readonly erasureQuietMs?: number;
  /** How far the clock runs ahead of the database's. It is asked at each reading, so that a test lets hours pass. */
  readonly clockAhead?: () => number;
}

/** How an application is started otherwise than by the settings. */
export interface StartOptions {
  /** Gets the log before anything else is opened. */
  readonly onLog?: (log: OpenLog) => void;
  /** Shorter lifetimes and timeouts than the defaults. */
  readonly timing?: Timing | undefined;
  /** Gets each line of the log, with its line end, in the place of standard error. */
  readonly writeLog?: ((line: string) => void) | undefined;
}

/** What every listener needs. */
export interface ServingDependencies {
  readonly config: Config;
  readonly apiDependencies: ApiDependencies;
  readonly store: Store;
  /** Aborted when the shutdown begins. */
  readonly draining: AbortSignal;
  readonly metrics: Metrics;
  readonly log: OpenLog;
}

const token = <T>(name: string): ServiceIdentifier<T> => Symbol(name);

/** Every part that the container holds, each under one typed token. */
export const tokens = {
  config: token<Config>('config'),
  timing: token<Timing>('timing'),
  log: token<OpenLog>('log'),
  metrics: token<Metrics>('metrics'),
  untilReady: token<RetryUntilReady>('retries of a start'),
  store: token<Store>('store'),
  feedWatch: token<FeedWatch>('watch over the feed'),
  eventNumbering: token<EventNumbering | undefined>('numbering of events'),
  onEvents: token<(count: number) => void>('what follows the commit of events'),
  causeKind: token<RecordingOptions['causeKind']>('cause of changes without a request'),
  /** That of the store, which also appends events. */
  unitOfWork: token<UnitOfWork>('unit of work'),
  clock: token<DatabaseClock>('clock'),
  newId: token<NewId>('new ids'),
  openedProvider: token<Closable<PaymentProvider>>('payment provider, as it was opened'),
  provider: token<PaymentProvider>('payment provider'),
  secretBox: token<SecretBox>('box of secrets'),
  webhookSender: token<HttpWebhookSender>('sender of webhooks'),
  application: token<Application>('application'),
  docsKeys: token<readonly DocsKey[]>('keys of the docs page'),
  authenticator: token<Closable<Authenticator>>('authenticator'),
  rateLimiter: token<Closable<RateLimiter>>('rate limiter'),
  webhookWorker: token<WebhookWorker>('deliveries of webhooks'),
  waitingRequests: token<WaitingRequests>('requests that wait'),
  backgroundWorker: token<ReturnType<typeof startBackgroundWorker>>('background worker'),
  apiDependencies: token<ApiDependencies>('API dependencies'),
  draining: token<AbortController>('draining'),
  serving: token<ServingDependencies>('what every listener needs'),
  apiListener: token<Listener>('API listener'),
  providerEventsListener: token<Listener | undefined>('listener for events of the payment provider'),
  certificate: token<ReturnType<typeof watchCertificate> | undefined>('certificate'),
  pagesListener: token<Listener | undefined>('pages listener'),
  opsListener: token<Listener | undefined>('ops listener'),
};
