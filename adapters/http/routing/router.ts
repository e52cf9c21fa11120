import { type Layer, Router } from '@koa/router';
import type { Application } from '#application/application.ts';
import { HttpError, routeNotFound } from '../errors.ts';
import { unmatchedRoute } from '../request/access-log-entry.ts';
import type { Middleware, State } from '../request/context.ts';
import { type Deprecations, isVersion, latest, versions } from '../versions.ts';
import { routeHandler } from './handler.ts';
import { percentDecode } from './list-query.ts';

/**
 * Registers the routes of every API version.
 * @param providerTimeMs extra milliseconds for requests that call the payment provider
 */
export const createRouter = (application: Application, providerTimeMs: number) => {
  const router = new Router<State>({ sensitive: true, strict: true });
  /** From a path of @koa/router, `/v1/orders/:id`, to the pattern of the contract, `/v1/orders/{id}`. */
  const patterns = new Map<string, string>();
  for (const [name, routes] of Object.entries(versions)) {
    for (const route of routes(application.useCases)) {
      const pattern = `/${name}${route.path}`;
      const path = pattern.replaceAll('{', ':').replaceAll('}', '');
      patterns.set(path, pattern);
      const handle = routeHandler(application, route, providerTimeMs);
      router.register(path, [route.method], (context) => {
        context.state.route = pattern;
        return handle(context);
      });
    }
  }

  /**
   * Handles a request that no route has handled: a CORS preflight, an unknown path, or an unsupported method.
   * @throws HttpError 'route-not-found', 'method-not-allowed'
   */
  const notFound: Middleware = ({ req, state, matched }) => {
    const methods = new Set(matched.flatMap((layer: Layer) => layer.methods));
    if (methods.size === 0) throw routeNotFound();
    const Allow = ['OPTIONS', ...methods].join(', ');
    if (req.method !== 'OPTIONS') {
      throw new HttpError('method-not-allowed', `${req.method} is not supported at this path.`, { Allow });
    }
    state.response = { status: 204, headers: { Allow }, body: null };
  };

  return {
    routes: router.routes(),
    notFound,
    /** The route pattern for the access log, for a request that was rejected before it was routed. */
    patternOf: (path: string): string =>
      patterns.get(`${router.stack.find(({ regexp }) => regexp.test(path))?.path}`) ?? unmatchedRoute,
  };
};

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
