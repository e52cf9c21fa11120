import { type Layer, Router } from '@koa/router';
import type { Application } from '#application/application.ts';
import { HttpError, routeNotFound } from '../errors.ts';
import { unmatchedRoute } from '../request/access-log-entry.ts';
import type { Context, State } from '../request/context.ts';
import type { Middleware } from '../request/middleware.ts';
import type { ApiResponse } from '../request/response.ts';
import { versions } from '../versions.ts';
import { routeHandler } from './handler.ts';

/**
 * Registers the routes of every API version, and makes the middleware that finds the route of a request.
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
      router.register(path, [route.method], routeHandler(application, route, providerTimeMs));
    }
  }
  const find = indexByPrefix(router);

  /** Calls the handler of the matching route; undefined when no route matches. */
  const route: Middleware = (context) => {
    const { req, state } = context;
    const match = find(state.path, req.method);
    if (match === undefined) return undefined;
    const { layer, params } = match;
    state.route = patterns.get(`${layer.path}`);
    // Tracing reads the route where @koa/router itself leaves it.
    Object.assign(context, { params, _matchedRoute: layer.path });
    const [handler] = layer.stack as ((context: Context) => Promise<ApiResponse>)[];
    return handler?.(context);
  };

  /**
   * Handles a request that no route has handled: a CORS preflight, an unknown path, or an unsupported method.
   * @throws HttpError 'route-not-found', 'method-not-allowed'
   */
  const notFound: Middleware = ({ req, state }) => {
    const methods = new Set(router.match(state.path, 'OPTIONS').path.flatMap((layer) => layer.methods));
    if (methods.size === 0) throw routeNotFound();
    const Allow = ['OPTIONS', ...methods].join(', ');
    if (req.method !== 'OPTIONS') {
      throw new HttpError('method-not-allowed', `${req.method} is not supported at this path.`, { Allow });
    }
    return { status: 204, headers: { Allow }, body: null };
  };

  return {
    router,
    route,
    notFound,
    /** The route pattern for the access log, for a request that was rejected before it was routed. */
    patternOf: (path: string): string => patterns.get(`${find(path)?.layer.path}`) ?? unmatchedRoute,
  };
};

interface RouteMatch {
  readonly layer: Layer<State>;
  /** The values of the path's placeholders, by their names. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Indexes routes by the first two segments of their paths, because @koa/router would try every pattern in turn. No pattern
 * may have a placeholder in its first two segments. Without a method, the first route with a matching path is found.
 */
const indexByPrefix = (
  router: Router<State>,
): ((path: string, method?: string) => RouteMatch | undefined) => {
  const layers = Map.groupBy(router.stack, ({ path }) => prefixOf(`${path}`));

  return (path, method) => {
    for (const layer of layers.get(prefixOf(path)) ?? []) {
      if (method !== undefined && !layer.methods.includes(method)) continue;
      const match = layer.regexp.exec(path);
      if (match !== null) return { layer, params: layer.params(path, match.slice(1)) };
    }
    return undefined;
  };
};

/** The first two segments of a path: `/v1/orders`. */
const prefixOf = (path: string): string => {
  const end = path.indexOf('/', path.indexOf('/', 1) + 1);
  return end < 0 ? path : path.slice(0, end);
};
