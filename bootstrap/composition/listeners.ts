import type { RequestListener } from 'node:http';
import { type ApiDependencies, api } from '#adapters/http/api.ts';
import { commonHeaders } from '#adapters/http/request/response.ts';
import { type Listener, listen } from '#adapters/http/server/server.ts';
import { describeApi } from '#adapters/http/versions.ts';
import type { Metrics } from '#adapters/metrics/metrics.ts';
import { docsHandler } from '#adapters/ops/docs/handler.ts';
import { opsHandler } from '#adapters/ops/listener.ts';
import { type Asset, createAsset } from '#adapters/ops/responses.ts';
import type { Store } from '#adapters/persistence/store.ts';
import { watchCertificate } from '#adapters/system/certificate-watcher.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import type { Config } from '../config/config.ts';
import { isLoopback } from '../config/env-parser.ts';
import { version } from '../process/version.ts';
import { recordRejected } from './access-log.ts';
import { readiness } from './readiness.ts';
import { type DocsKey, usableTokens } from './static-credentials.ts';
import type { Timing } from './tokens.ts';

interface Dependencies {
  readonly config: Config;
  readonly apiDependencies: ApiDependencies;
  readonly store: Store;
  /** Aborted when the shutdown begins. */
  readonly draining: AbortSignal;
  readonly metrics: Metrics;
  readonly log: OpenLog;
}

/** Serves the API on `HOST` and `PORT`. */
export const openApiListener = ({
  config,
  apiDependencies,
  store,
  draining,
  metrics,
  log,
}: Dependencies): Promise<Listener> => {
  const transport = config.behindProxy ? 'proxied' : 'private';
  return listen(api(apiDependencies, { ...config, transport }).callback(), {
    ...config,
    headers: commonHeaders(config.crossOrigin),
    draining,
    limits: { maxInFlight: config.maxInFlight, storeDelay: store.queueDelay, onShed: metrics.shed },
    onRejected: recordRejected(metrics, log),
  });
};

/** Replaces the certificate of a listener whenever its files change; undefined without TLS. */
export const reloadCertificate = (
  { tls }: Config,
  { certificatePollIntervalMs }: Timing,
  { setCertificate }: Listener,
  log: OpenLog,
) =>
  tls &&
  watchCertificate(
    tls,
    {
      use: (pair) => {
        setCertificate(pair);
        log.info('The certificate has been replaced.');
      },
      report: (error) =>
        log.error({ err: error }, 'The new certificate is invalid. The previous one stays in use.'),
      warn: (message) => log.warn(`The certificate ${message}.`),
    },
    { pollIntervalMs: certificatePollIntervalMs },
  );

interface OpsDependencies extends Dependencies {
  readonly apiUrl: string;
  readonly docsKeys: readonly DocsKey[];
}

/** Serves health, metrics and docs on `OPS_HOST` and `OPS_PORT`; undefined when `OPS_PORT` is 0. */
export const openOpsListener = async (dependencies: OpsDependencies): Promise<Listener | undefined> => {
  const { ops, crossOrigin } = dependencies.config;
  if (ops === undefined) return undefined;
  const { draining } = dependencies;
  return listen(opsRoutes(dependencies, ops.host), { ...ops, headers: commonHeaders(crossOrigin), draining });
};

const opsRoutes = (
  { config, apiDependencies, store, draining, metrics, log, apiUrl, docsKeys }: OpsDependencies,
  opsHost: string,
): RequestListener => {
  // Requests from this machine have not crossed a network. Others come unencrypted, so the API rejects them here.
  const isPrivate = isLoopback(opsHost);
  const transport = isPrivate ? 'private' : 'plaintext';
  let document: Promise<Asset> | undefined;
  return opsHandler({
    findUnreadyReason: readiness(
      store,
      () => draining.aborted,
      (error) => log.warn({ err: error }, 'Not ready: the database is unavailable.'),
    ),
    // Rendered on the first request, so that no start waits for it.
    document: () => {
      document ??= createAsset(
        'application/json',
        JSON.stringify(describeApi(apiDependencies.application.useCases)),
      );
      return document;
    },
    docs: docsHandler({
      version,
      apiUrl: isLoopback(config.host) ? apiUrl : undefined,
      canSend: isPrivate,
      findKeys: docsKeys.length > 0 ? () => usableTokens(docsKeys) : undefined,
      isLocal: isLoopback,
      report: (error) => log.error({ err: error }, 'The docs page could not be rendered.'),
    }),
    metrics: () =>
      metrics.page().catch((error: unknown) => {
        log.error({ err: error }, 'The metrics could not be collected.');
        throw error;
      }),
    api: api(apiDependencies, { ...config, transport }).callback(),
  });
};
