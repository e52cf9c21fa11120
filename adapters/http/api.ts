import Router from '@koa/router';
import Koa from 'koa';
import type { Portico } from '#application/portico.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import type { Context, State } from './context.ts';
import { dispatch } from './dispatch.ts';
import { unmatched, type Watch } from './exchange.ts';
import { type CrossOrigin, commonHeaders } from './headers.ts';
import { patience } from './listener/patience.ts';
import { authenticate } from './middleware/authenticate.ts';
import { envelope } from './middleware/envelope.ts';
import { httpsOnly, nobody } from './middleware/https-only.ts';
import { limitRate } from './middleware/limit-rate.ts';
import { answerUnmatched } from './middleware/unmatched.ts';
import { deprecation, version } from './middleware/version.ts';
import { watched } from './middleware/watched.ts';
import { wellFormed } from './middleware/well-formed.ts';
import { type Deprecations, versions } from './versions.ts';

export interface ApiSettings {
  readonly crossOrigin: CrossOrigin;
  readonly deprecations: Deprecations;
  readonly transport: Transport;
  readonly times: Times;
}

/** How long things may take, in milliseconds. */
interface Times {
  readonly request: number;
  /** How much longer the payment provider may. */
  readonly payment: number;
  /** A request until it is there; the contract's own time without. */
  readonly arrival?: number;
}

/**
 * How requests come here: encrypted, or from this very machine; through a proxy that says by X-Forwarded-Proto how it
 * was reached; or in the clear, from anywhere, and then nobody is answered.
 */
type Transport = 'private' | 'proxied' | 'clear';

export interface ApiParts {
  readonly portico: Portico;
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
  /** Milliseconds since 1970, as the rate limiter counts them. */
  readonly now: () => number;
  readonly report: (error: unknown, requestId: string) => void;
  readonly watch: Watch;
}

/** The API as a Koa application. The order of the layers is the order in which the contract looks at a request. */
export const api = (
  parts: ApiParts,
  { crossOrigin, deprecations, transport, times }: ApiSettings,
): Koa<State> => {
  const app = new Koa<State>();
  // Nobody is to blame for a client who has left before the answer.
  app.on('error', (error, { req, state }: Context) => {
    if (!req.socket.destroyed) parts.report(error, state.requestId);
  });
  const { requestTimeout } = patience;
  const { router, patterns } = routerOf(parts.portico, times.payment);
  app.use(watched(parts.watch, (context) => patternIn(patterns, router, context)));
  app.use(envelope(commonHeaders(crossOrigin), { arrival: requestTimeout, ...times }, parts.report));
  app.use(wellFormed);
  if (deprecations.size > 0) app.use(deprecation(deprecations));
  if (transport !== 'private') app.use(transport === 'proxied' ? httpsOnly : nobody);
  app.use(authenticate(parts.authenticator));
  app.use(limitRate(parts.rateLimiter, parts.now));
  app.use(version);
  app.use(router.routes());
  app.use(async (context) => answerUnmatched(context, methodsAt(router, context)));
  return app;
};

/** The router, and the patterns of its paths as the contract writes them. */
const routerOf = (portico: Portico, providersTime: number) => {
  const router = new Router<State>({ sensitive: true, strict: true });
  const patterns = new Map<string, string>();
  for (const [name, routes] of Object.entries(versions)) {
    for (const route of routes(portico.useCases)) {
      const pattern = `/${name}${route.path}`;
      const path = pattern.replaceAll('{', ':').replaceAll('}', '');
      const answer = dispatch(portico, route, providersTime);
      patterns.set(path, pattern);
      router.register(path, [route.method], (context) => {
        context.state.route = pattern;
        return answer(context);
      });
    }
  }
  return { router, patterns };
};

/** Of a request that was refused before a route was looked for. Its address may be none that can be read. */
const patternIn = (
  patterns: ReadonlyMap<string, string>,
  router: Router<State>,
  context: Context,
): string => {
  try {
    const [layer] = router.match(context.path, context.method).path;
    return patterns.get(`${layer?.path}`) ?? unmatched;
  } catch {
    return unmatched;
  }
};

const methodsAt = (router: Router<State>, { path }: Context): string[] => [
  ...new Set(router.match(path, 'OPTIONS').path.flatMap(({ methods }) => methods)),
];
