import { HttpError } from '../../errors.ts';
import { percentDecode } from '../../routing/query-string.ts';
import { type Deprecations, isVersion, latest } from '../../versions.ts';
import type { Middleware } from '../middleware.ts';

const versionPrefix = /^\/(v\d+)(?=\/|$)/;

/** Warns of a version that will go, on whatever is answered under it. */
export const deprecationHeaders =
  (deprecations: Deprecations): Middleware =>
  ({ state: { path, headers } }) => {
    const name = versionOf(path);
    const sunset = name !== undefined && isVersion(name) ? deprecations.get(name) : undefined;
    if (sunset !== undefined) headers.push('Deprecation', 'true', 'Sunset', new Date(sunset).toUTCString());
    return undefined;
  };

/**
 * Sends a path without a version to the latest.
 * @throws HttpError 'route-not-found' for a version that is none, 'bad-request' for broken percent-encoding
 */
export const apiVersion: Middleware = ({ state: { path, query } }) => {
  percentDecode(path);
  const name = versionOf(path);
  if (name === undefined) {
    if (!path.startsWith('/') || path.includes('//')) throw notHere();
    const Location = `/${latest}${path}${query === '' ? '' : `?${query}`}`;
    return { status: 307, headers: { Location }, body: null };
  }
  if (!isVersion(name)) throw notHere();
  return undefined;
};

const versionOf = (path: string): string | undefined => versionPrefix.exec(path)?.[1];

const notHere = (): HttpError => new HttpError('route-not-found', 'There is nothing at this address.');
