import { routeNotFound } from '../../errors.ts';
import { percentDecode } from '../../routing/query-string.ts';
import { type Deprecations, isVersion, latest } from '../../versions.ts';
import type { Middleware } from '../context.ts';

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
