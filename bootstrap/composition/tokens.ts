import type { ServiceIdentifier } from 'inversify';
import type { ApiDependencies } from '#adapters/http/api.ts';
import type { Listener } from '#adapters/http/server/server.ts';
import type { Metrics } from '#adapters/metrics/metrics.ts';
import type { Store } from '#adapters/persistence/store.ts';
import type { startBackgroundWorker } from '#adapters/system/background-worker.ts';
import type { watchCertificate } from '#adapters/system/certificate-watcher.ts';
import type { DatabaseClock } from '#adapters/system/database-clock.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import type { Application } from '#application/application.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import type { NewId } from '#application/ports/system.ts';
import type { Config } from '../config/config.ts';
import type { DocsKey } from './static-credentials.ts';

/** One that holds something gives it back when it is closed. */
export type Limiter = RateLimiter & { close?(): Promise<void> };

const token = <T>(name: string): ServiceIdentifier<T> => Symbol(name);

/** Everything that the container knows, each by one name and of one type. */
export const tokens = {
  config: token<Config>('config'),
  log: token<OpenLog>('log'),
  metrics: token<Metrics>('metrics'),
  store: token<Store>('store'),
  clock: token<DatabaseClock>('clock'),
  newId: token<NewId>('new ids'),
  provider: token<PaymentProvider>('payment provider'),
  portico: token<Application>('portico'),
  docsKeys: token<readonly DocsKey[]>('keys of the docs page'),
  authenticator: token<Authenticator>('authenticator'),
  rateLimiter: token<Limiter>('rate limiter'),
  housekeeper: token<ReturnType<typeof startBackgroundWorker>>('housekeeper'),
  apiParts: token<ApiDependencies>('API parts'),
  draining: token<AbortController>('the end that has been announced'),
  apiListener: token<Listener>('API listener'),
  certificate: token<ReturnType<typeof watchCertificate> | undefined>('certificate'),
  opsListener: token<Listener | undefined>('ops listener'),
};
