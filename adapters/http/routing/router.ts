import { Router } from '@koa/router';
import type { Portico } from '#application/application.ts';
import { unmatchedRoute } from '../request/access-log-entry.ts';
import type { Context, State } from '../request/context.ts';
import type { Middleware } from '../request/middleware.ts';
import type { ApiResponse } from '../request/response.ts';
import { versions } from '../versions.ts';
import { routeHandler } from './handler.ts';
import { routesByPath } from './routes-by-path.ts';

/** The routes of all versions in one router, and what is asked of them. */
export const createRouter = (application: Portico, providerTimeMs: number) => {
  const router = new Router<State>({ sensitive: true, strict: true });
  /** The patterns of the paths as the contract writes them, by those of the router. */
  const patterns = new Map<string, string>();
  for (const [name, routes] of Object.entries(versions)) {
    for (const route of routes(application.useCases)) {
      const pattern = `/${name}${route.path}`;
      const path = pattern.replaceAll('{', ':').replaceAll('}', '');
      patterns.set(path, pattern);
      router.register(path, [route.method], routeHandler(application, route, providerTimeMs));
    }
  }
  const find = routesByPath(router);

  const route: Middleware = (context) => {
    const { req, state } = context;
    const found = find(state.path, req.method);
    if (found === undefined) return undefined;
    const { layer, placeholders } = found;
    state.route = patterns.get(`${layer.path}`);
    // As @koa/router leaves them, for whoever comes after it.
    Object.assign(context, { params: placeholders, _matchedRoute: layer.path });
    const [answer] = layer.stack as ((context: Context) => Promise<ApiResponse>)[];
    return answer?.(context);
  };

  return {
    router,
    route,

    /** Of the path of a request that was refused before a route was looked for. */
    patternOf: (path: string): string => patterns.get(`${find(path)?.layer.path}`) ?? unmatchedRoute,

    methodsAt: (path: string): readonly string[] => [
      ...new Set(router.match(path, 'OPTIONS').path.flatMap(({ methods }) => methods)),
    ],
  };
};
