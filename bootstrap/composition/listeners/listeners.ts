import type { RequestListener } from 'node:http';
import { type ApiOptions, api } from '#adapters/http/api.ts';
import { commonHeaders } from '#adapters/http/request/response.ts';
import { type Listener, listen, listenWith } from '#adapters/http/server/server.ts';
import { describeApi } from '#adapters/http/versions.ts';
import { adminHandler } from '#adapters/ops/admin/handler.ts';
import { docsHandler } from '#adapters/ops/docs/handler.ts';
import { hostNameOf } from '#adapters/ops/known-host.ts';
import { opsHandler, pagesHandler } from '#adapters/ops/listener.ts';
import { type Asset, createAsset } from '#adapters/ops/responses.ts';
import { watchCertificate } from '#adapters/system/certificate-watcher.ts';
import type { OpenLog } from '#adapters/system/log.ts';
import type { Config } from '../../config/config.ts';
import { crossOriginAt } from '../../config/cross-origin.ts';
import { isLoopback } from '../../config/env-parser.ts';
import type { OpsSettings } from '../../config/ops.ts';
import { docsUrlOf } from '../../config/pages.ts';
import { clientFolder, version } from '../../process/version.ts';
import { type DocsKey, usableTokens } from '../static-credentials.ts';
import type { ServingDependencies } from '../tokens.ts';
import { recordRejected } from './access-log.ts';
import { adminLogin } from './admin-login.ts';
import { readiness } from './readiness.ts';

/** Serves the API on `HOST` and `PORT`. */
export const openApiListener = (dependencies: ServingDependencies): Promise<Listener> => {
  const { config: settings, apiDependencies } = dependencies;
  return listenWith(settings, (url) => {
    const config = configAt(settings, url);
    const options = { ...config, transport: transportOf(config), helpUrl: docsUrlOf(config) };
    const { behindProxy } = config;
    const handle = api(apiDependencies, options).callback();
    return { handle, behindProxy, ...guards({ ...dependencies, config }) };
  });
};

/** The configuration with the origin of the API where the settings name none. @param apiUrl of its listener */
const configAt = (config: Config, apiUrl: string): Config => ({
  ...config,
  crossOrigin: crossOriginAt(config.crossOrigin, apiUrl),
});

const transportOf = ({ behindProxy }: Config): ApiOptions['transport'] =>
  behindProxy ? 'proxied' : 'private';

/** What protects each listener that clients reach. */
const guards = ({ config, store, draining, metrics, log }: Omit<ServingDependencies, 'apiDependencies'>) => ({
  headers: commonHeaders(config.crossOrigin),
  draining,
  limits: { maxInFlight: config.maxInFlight, storeDelay: store.queueDelay, onShed: metrics.shed },
  onRejected: recordRejected(metrics, log),
});

/** Replaces the certificate of the listeners whenever its files change; undefined without TLS. */
export const reloadCertificate = (
  { tls }: Config,
  listeners: readonly (Listener | undefined)[],
  log: OpenLog,
) =>
  tls &&
  watchCertificate(tls, {
    use: (pair) => {
      for (const listener of listeners) listener?.setCertificate(pair);
      log.info('The certificate has been replaced.');
    },
    report: (error) =>
      log.error({ err: error }, 'The new certificate is invalid. The previous one stays in use.'),
    warn: (message) => log.warn(`The certificate ${message}.`),
  });

interface PagesDependencies extends ServingDependencies {
  readonly apiUrl: string;
}

/** Serves the docs and the API on `PAGES_HOST` and `PAGES_PORT`; undefined when `PAGES_PORT` is 0. */
export const openPagesListener = async (opened: PagesDependencies): Promise<Listener | undefined> => {
  const config = configAt(opened.config, opened.apiUrl);
  const dependencies = { ...opened, config };
  if (config.pages === undefined) return undefined;
  const document = documentOf(dependencies, config.publicUrl);
  const pages = pagesHandler({
    document,
    // Never with demonstration keys: strangers may open this page.
    docs: docsOf(dependencies, { document, canSend: true }),
    admin: config.pages.hasAdminPage ? adminOf(dependencies, { canSend: true, hasKeys: false }) : undefined,
    api: apiBesideDocs(dependencies, transportOf(config)),
  });
  const { behindProxy, tls } = config;
  return listen(pages, { ...config.pages, behindProxy, tls, ...guards(dependencies) });
};

/**
 * The OpenAPI document, rendered on the first request, so that no start waits for it.
 * @param apiUrl the API's address for the readers of the document; undefined when the server cannot know it
 */
const documentOf = (
  { apiDependencies }: ServingDependencies,
  apiUrl: string | undefined,
): (() => Promise<Asset>) => {
  let document: Promise<Asset> | undefined;
  return () => {
    const { useCases } = apiDependencies.application;
    document ??= createAsset(
      'application/json',
      JSON.stringify(describeApi(useCases, { release: version, publicUrl: apiUrl })),
    );
    return document;
  };
};

const docsOf = (
  { config, apiUrl, log }: PagesDependencies,
  options: {
    readonly document: () => Promise<Asset>;
    readonly canSend: boolean;
    readonly findKeys?: () => ReturnType<typeof usableTokens>;
  },
): RequestListener =>
  docsHandler({
    findKeys: undefined,
    ...options,
    version,
    apiUrl: config.publicUrl ?? (isLoopback(config.host) ? apiUrl : undefined),
    isLocal: isLoopback,
    report: (error) => log.error({ err: error }, 'The docs page could not be rendered.'),
  });

const adminOf = (
  { config, log }: PagesDependencies,
  options: { readonly canSend: boolean; readonly hasKeys: boolean },
): RequestListener =>
  adminHandler({
    ...options,
    clientFolder,
    findLogin: adminLogin(config, log),
    report: (error) => log.error({ err: error }, 'The admin page could not be read.'),
  });

/** Where programs on this machine reach the API; undefined when they have to go through a proxy. */
const localUrlOf = ({ config, apiUrl }: PagesDependencies): string | undefined =>
  isLoopback(config.host) && !config.behindProxy ? apiUrl : undefined;

/** The API on the origin of the docs page, so that the page can call it. */
const apiBesideDocs = (
  { config, apiDependencies }: ServingDependencies,
  transport: ApiOptions['transport'],
): RequestListener => api(apiDependencies, { ...config, transport, helpUrl: '/docs' }).callback();

interface OpsDependencies extends PagesDependencies {
  readonly docsKeys: readonly DocsKey[];
}

/** Serves health, metrics and docs on `OPS_HOST` and `OPS_PORT`; undefined when `OPS_PORT` is 0. */
export const openOpsListener = async (opened: OpsDependencies): Promise<Listener | undefined> => {
  const dependencies = { ...opened, config: configAt(opened.config, opened.apiUrl) };
  const { ops, crossOrigin } = dependencies.config;
  if (ops === undefined) return undefined;
  const { draining } = dependencies;
  return listen(opsRoutes(dependencies, ops), { ...ops, headers: commonHeaders(crossOrigin), draining });
};

const opsRoutes = (dependencies: OpsDependencies, { host, allowedHosts }: OpsSettings): RequestListener => {
  const { config, store, draining, metrics, log, docsKeys } = dependencies;
  // Requests from this machine have not crossed a network. Others come unencrypted, so the API rejects them here.
  const isPrivate = isLoopback(host);
  const document = documentOf(
    dependencies,
    config.publicUrl ?? (isPrivate ? localUrlOf(dependencies) : undefined),
  );
  const pages = pagesHandler({
    document,
    docs: docsOf(dependencies, {
      document,
      canSend: isPrivate,
      ...(docsKeys.length > 0 && { findKeys: () => usableTokens(docsKeys) }),
    }),
    admin: adminOf(dependencies, { canSend: isPrivate, hasKeys: docsKeys.length > 0 }),
    api: apiBesideDocs(dependencies, isPrivate ? 'private' : 'plaintext'),
  });
  const operations = {
    allowedHosts: new Set([host, ...allowedHosts].map(hostNameOf)),
    findUnreadyReason: readiness(
      store,
      () => draining.aborted,
      (error) => log.report('warn', { err: error }, 'Not ready: the database is unavailable.'),
    ),
    metrics: () =>
      metrics.page().catch((error: unknown) => {
        log.error({ err: error }, 'The metrics could not be collected.');
        throw error;
      }),
  };
  return opsHandler(operations, pages);
};
