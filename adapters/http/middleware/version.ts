import type { Context, Middleware } from '../context.ts';
import { HttpError } from '../errors.ts';
import { decodeText } from '../query.ts';
import { send } from '../send.ts';
import { type Deprecations, isVersion, latest } from '../versions.ts';

const versionPrefix = /^\/(v\d+)(?=\/|$)/;

/** Warns of a version that will go, on whatever is answered under it. */
export const deprecation =
  (deprecations: Deprecations): Middleware =>
  async (context, next) => {
    const name = versionOf(context);
    const sunset = name !== undefined && isVersion(name) ? deprecations.get(name) : undefined;
    if (sunset !== undefined) {
      context.set({ Deprecation: 'true', Sunset: new Date(sunset).toUTCString() });
    }
    await next();
  };

/**
 * Sends a path without a version to the latest.
 * @throws HttpError 'route-not-found' for a version that is none, 'bad-request' for broken percent-encoding
 */
export const version: Middleware = async (context, next) => {
  const { path } = context;
  decodeText(path);
  const name = versionOf(context);
  if (name === undefined) {
    if (!path.startsWith('/') || path.includes('//')) throw notHere();
    const Location = `/${latest}${path}${context.search}`;
    return send(context, { status: 307, headers: { Location }, body: null });
  }
  if (!isVersion(name)) throw notHere();
  await next();
};

const versionOf = ({ path }: Context): string | undefined => versionPrefix.exec(path)?.[1];

const notHere = (): HttpError => new HttpError('route-not-found', 'There is nothing at this address.');
