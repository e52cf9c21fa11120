import type { UseCases } from '#application/application.ts';
import { routeNotFound } from './errors.ts';
import { openApi, type ServerInfo } from './openapi/document.ts';
import { openForm } from './openapi/open-form.ts';
import type { Middleware } from './request/context.ts';
import { percentDecode } from './routing/query-string.ts';
import type { Route } from './routing/route.ts';
import { subjects, v1 } from './v1/routes.ts';
import { webhookBodySchema } from './v1/webhook-bodies.ts';

/** The routes of each API version, oldest first, by the prefix of their paths. */
export const versions = { v1 } satisfies Record<string, (useCases: UseCases) => readonly Route[]>;

export type VersionName = keyof typeof versions;

export const isVersion = (name: string): name is VersionName => Object.hasOwn(versions, name);

/** The OpenAPI document of the latest version, as it is published: responses are open, requests closed. */
export const describeApi = (useCases: UseCases, server: ServerInfo) =>
  openForm(describeApiClosed(useCases, server));

/** The same document with exactly what this release sends, to which the tests hold responses. */
export const describeApiClosed = (useCases: UseCases, server: ServerInfo) =>
  openApi({
    name: latest,
    routes: versions[latest](useCases),
    subjects,
    webhookBody: webhookBodySchema,
    ...server,
  });

/** A path without a version is redirected to this one. */
export const latest: VersionName = 'v1';

/** When each deprecated version will be removed (its Sunset), in milliseconds since 1970. */
export type Deprecations = ReadonlyMap<VersionName, number>;

const versionPrefix = /^\/(v\d+)(?=\/|$)/;

/** Adds `Deprecation` and `Sunset` (RFC 8594) to every response of a version that will be removed. */
export const deprecationHeaders =
  (deprecations: Deprecations): Middleware =>
  ({ state: { path, headers } }, next) => {
    const version = versionOf(path);
    const sunset = version !== undefined && isVersion(version) ? deprecations.get(version) : undefined;
    if (sunset !== undefined) headers.push('Deprecation', 'true', 'Sunset', new Date(sunset).toUTCString());
    return next();
  };

/**
 * Redirects a path without a version to the latest version (307 keeps method and body).
 * @throws HttpError 'route-not-found' for an unknown version, 'bad-request' for broken percent-encoding
 */
export const apiVersion: Middleware = ({ state }, next) => {
  const { path, query } = state;
  percentDecode(path);
  const version = versionOf(path);
  if (version === undefined) {
    // An open redirect otherwise: browsers read `//` as the start of a host name.
    if (!path.startsWith('/') || path.includes('//')) throw routeNotFound();
    const Location = `/${latest}${path}${query === '' ? '' : `?${query}`}`;
    state.response = { status: 307, headers: { Location }, body: null };
    return undefined;
  }
  if (!isVersion(version)) throw routeNotFound();
  return next();
};

const versionOf = (path: string): string | undefined => versionPrefix.exec(path)?.[1];
