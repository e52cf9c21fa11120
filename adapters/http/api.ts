import type Koa from 'koa';
import type { Portico } from '#application/application.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import type { OnRequest } from './request/access-log-entry.ts';
import { type CorsSettings, commonHeaders } from './request/common-headers.ts';
import type { State } from './request/context.ts';
import { LeanKoa } from './request/koa-app.ts';
import { apiVersion, deprecationHeaders } from './request/middleware/api-version.ts';
import { authenticate } from './request/middleware/authenticate.ts';
import { notFound } from './request/middleware/not-found.ts';
import { rateLimit } from './request/middleware/rate-limit.ts';
import { rejectPlaintext, requireHttps } from './request/middleware/require-https.ts';
import { validateMessage } from './request/middleware/validate-message.ts';
import { compose, type Middleware } from './request/middleware.ts';
import { respond } from './request/request-lifecycle.ts';
import { createRouter } from './routing/router.ts';
import { timeouts } from './server/timeouts.ts';
import type { Deprecations } from './versions.ts';

export interface ApiSettings {
  readonly crossOrigin: CorsSettings;
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

export interface ApiDependencies {
  readonly portico: Portico;
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
  readonly report: (error: unknown, requestId: string) => void;
  readonly onRequest: OnRequest;
}

/** The API as a Koa application. The order of the steps is the order in which the contract looks at a request. */
export const api = (
  parts: ApiDependencies,
  { crossOrigin, deprecations, transport, times }: ApiSettings,
): Koa<State> => {
  const { router, route, patternOf, methodsAt } = createRouter(parts.portico, times.payment);
  const steps: Middleware[] = [validateMessage];
  if (deprecations.size > 0) steps.push(deprecationHeaders(deprecations));
  if (transport !== 'private') steps.push(transport === 'proxied' ? requireHttps : rejectPlaintext);
  steps.push(authenticate(parts.authenticator), rateLimit(parts.rateLimiter));
  steps.push(apiVersion, route, notFound(methodsAt));
  const app = new LeanKoa<State>();
  app.on('error', (error, { state }) => parts.report(error, state.requestId));
  const answer = respond(compose(steps), {
    headers: commonHeaders(crossOrigin),
    timeouts: { arrival: timeouts.requestTimeout, ...times },
    onRequest: parts.onRequest,
    patternOf,
    report: parts.report,
  });
  // Whoever looks at a Koa application from outside, as tracing does, finds its routes where @koa/router leaves them.
  app.use(Object.assign(answer, { router }));
  return app;
};
