import { type Layer, Router } from '@koa/router';
import type { Application } from '#application/application.ts';
import { HttpError, routeNotFound } from '../errors.ts';
import { unmatchedRoute } from '../request/access-log-entry.ts';
import type { Middleware, State } from '../request/context.ts';
import { versions } from '../versions.ts';
import { routeHandler } from './handler.ts';

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
