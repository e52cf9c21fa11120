import type Koa from 'koa';
import type { Portico } from '#application/portico.ts';
import type { Authenticator } from '#application/ports/authenticator.ts';
import type { RateLimiter } from '#application/ports/rate-limiter.ts';
import { answering } from './answering.ts';
import type { State } from './context.ts';
import type { Watch } from './exchange.ts';
import { type CrossOrigin, commonHeaders } from './headers.ts';
import { LeanKoa } from './lean-koa.ts';
import { patience } from './listener/patience.ts';
import { routing } from './routing.ts';
import { inOrder, type Step } from './step.ts';
import { authenticate } from './steps/authenticate.ts';
import { httpsOnly, nobody } from './steps/https-only.ts';
import { limitRate } from './steps/limit-rate.ts';
import { unmatched } from './steps/unmatched.ts';
import { deprecation, version } from './steps/version.ts';
import { wellFormed } from './steps/well-formed.ts';
import type { Deprecations } from './versions.ts';

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
  readonly report: (error: unknown, requestId: string) => void;
  readonly watch: Watch;
}

/** The API as a Koa application. The order of the steps is the order in which the contract looks at a request. */
export const api = (
  parts: ApiParts,
  { crossOrigin, deprecations, transport, times }: ApiSettings,
): Koa<State> => {
  const { router, route, patternOf, methodsAt } = routing(parts.portico, times.payment);
  const steps: Step[] = [wellFormed];
  if (deprecations.size > 0) steps.push(deprecation(deprecations));
  if (transport !== 'private') steps.push(transport === 'proxied' ? httpsOnly : nobody);
  steps.push(authenticate(parts.authenticator), limitRate(parts.rateLimiter));
  steps.push(version, route, unmatched(methodsAt));
  const app = new LeanKoa<State>();
  app.on('error', (error, { state }) => parts.report(error, state.requestId));
  const answer = answering(inOrder(steps), {
    headers: commonHeaders(crossOrigin),
    patience: { arrival: patience.requestTimeout, ...times },
    watch: parts.watch,
    patternOf,
    report: parts.report,
  });
  // Whoever looks at a Koa application from outside, as tracing does, finds its routes where @koa/router leaves them.
  app.use(Object.assign(answer, { router }));
  return app;
};
