import type { Middleware } from '../context.ts';
import { HttpError } from '../errors.ts';
import { decodeText } from '../query.ts';
import { send } from '../send.ts';
import { type Deprecations, latest, versions } from '../versions.ts';

const versionPrefix = /^\/(v\d+)(?=\/|$)/;

/**
 * Sends a path without a version to the latest, and warns of a version that will go.
 * @throws HttpError 'route-not-found' for a version that is none, 'bad-request' for broken percent-encoding
 */
export const version =
  (deprecations: Deprecations): Middleware =>
  async (context, next) => {
    const { path } = context;
    decodeText(path);
    const name = versionPrefix.exec(path)?.[1];
    if (name === undefined) {
      if (path.includes('//')) throw notHere();
      return send(context, {
        status: 307,
        headers: { Location: `/${latest}${path}${context.search}` },
        body: null,
      });
    }
    if (!isVersion(name)) throw notHere();
    const sunset = deprecations.get(name);
    if (sunset !== undefined) {
      context.set({ Deprecation: 'true', Sunset: new Date(sunset).toUTCString() });
    }
    await next();
  };

const isVersion = (name: string): name is keyof typeof versions => Object.hasOwn(versions, name);

const notHere = (): HttpError => new HttpError('route-not-found', 'There is nothing at this address.');
