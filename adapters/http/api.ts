import Koa from 'koa';
import type { Application } from '#application/application.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import type { OnRequest } from './request/access-log-entry.ts';
import { authenticate, authenticateAgain, rateLimit, unauthorizedResponse } from './request/caller.ts';
import { rejectPlaintext, requireHttps, validateMessage } from './request/checks.ts';
import type { Context, State } from './request/context.ts';
import { respond } from './request/request-lifecycle.ts';
import { type CorsOptions, commonHeaders } from './request/response.ts';
import { createRouter } from './routing/router.ts';
import { timeouts } from './server/timeouts.ts';
import { apiVersion, type Deprecations, deprecationHeaders } from './versions.ts';
import type { WaitingRequests } from './waiting/waiting-requests.ts';

export interface ApiOptions {
  readonly crossOrigin: CorsOptions;
  readonly deprecations: Deprecations;
  readonly transport: Transport;
  readonly times: Times;
  /** The address of the docs, which a 401 names; absolute, or a path on this listener. Undefined where clients cannot reach them. */
  readonly helpUrl?: string | undefined;
}

/** Timeouts in milliseconds. */
interface Times {
  /** From the arrival of a request to its response. */
  readonly request: number;
  /** Added to `request` where the payment provider is called. */
  readonly payment: number;
  /** From the headers of a request to the end of its body; `requestTimeout` of the server by default. */
  readonly arrival?: number;
}

/**
 * How requests reach the API. `private`: over TLS or from this machine. `proxied`: through a trusted proxy that sets
 * X-Forwarded-Proto. `plaintext`: unencrypted from anywhere, and then every request is rejected.
 */
type Transport = 'private' | 'proxied' | 'plaintext';

export interface ApiDependencies {
  readonly application: Application;
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
  readonly waitingRequests: WaitingRequests;
  /** Called with each error that is a defect or an outage. */
  readonly report: (error: unknown, requestId: string) => void;
  readonly onRequest: OnRequest;
}

/**
 * The API as a Koa application. The order of the middleware is the order of checks that the contract promises.
 *
 * From socket to use case a request passes `server/server.ts`, `server/overload`, this middleware, `routing/router.ts` and
 * `routing/execute-use-case.ts`.
 */
export const api = (
  { application, authenticator, rateLimiter, waitingRequests, report, onRequest }: ApiDependencies,
  { crossOrigin, deprecations, transport, times, helpUrl }: ApiOptions,
): Koa<State> => {
  const unauthorized = unauthorizedResponse(helpUrl);
  const { routes, notFound, patternOf } = createRouter(
    {
      ...{ application, waitingRequests, unauthorized },
      authenticate: (headers) => authenticateAgain(authenticator, headers),
    },
    times.payment,
  );
  const app = new Koa<State>();
  app.on('error', (error, context: Context) => {
    if (!isOfConnection(error, context)) report(error, context.state.requestId);
  });
  app.use(
    respond({
      headers: commonHeaders(crossOrigin),
      behindProxy: transport === 'proxied',
      timeouts: { arrival: timeouts.requestTimeout, ...times },
      onRequest,
      patternOf,
      report,
    }),
  );
  app.use(validateMessage);
  if (deprecations.size > 0) app.use(deprecationHeaders(deprecations));
  if (transport !== 'private') app.use(transport === 'proxied' ? requireHttps : rejectPlaintext);
  app.use(authenticate(authenticator, unauthorized)).use(rateLimit(rateLimiter, unauthorized));
  app.use(apiVersion).use(routes).use(notFound);
  return app;
};

/** Koa reports errors of connections too. They are no defects, and `respond` logs such a request as aborted. */
const isOfConnection = (error: unknown, { req }: Context): boolean => req.socket.errored === error;
