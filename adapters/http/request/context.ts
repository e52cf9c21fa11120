import type Koa from 'koa';
import type { PendingCaller } from '#application/ports/authenticator.ts';
import type { Caller } from '#application/preconditions.ts';
import type { Awaited } from './awaited.ts';

/** A response without the headers that every response has. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, or null for no body. */
  readonly body: string | null;
  /** The part of the body that an idempotency record may keep, if not the whole: secrets are not stored. */
  readonly storableBody?: string;
  /** The code of an error, for the access log. */
  readonly errorCode?: string;
  /** What a client that prefers to wait waits for; undefined when there is nothing to wait for. */
  readonly awaited?: Awaited | undefined;
}

/** The state of a request. Each middleware adds what it finds out. */
export interface State {
  requestId: string;
  /** Response headers besides those of the handler: names and values in turn. */
  readonly headers: string[];
  /** The path as the client wrote it; empty until the message has been validated. */
  path: string;
  /** The query string without its question mark. */
  query: string;
  /** When the response is due, on the scale of `performance.now()`. */
  deadline: number;
  /** How long the request has waited for a change until now, or until `waitsSince`, in milliseconds. */
  waitedMs: number;
  /** When it has begun to wait, on the scale of `performance.now()`; undefined while it does not. */
  waitsSince: number | undefined;
  /** When the whole request must have arrived, on the same scale. */
  readonly bodyDeadline: number;
  /** Whether the handler waits for the client to send the rest of the body. */
  isReceivingBody: boolean;
  /** Set by authentication; undefined before it, and for a CORS preflight. */
  caller: Caller | undefined;
  /** Set by authentication in place of the caller, who is set after the rate limit. */
  pendingCaller: PendingCaller | undefined;
  /** The pattern of the path, set by routing. */
  route: string | undefined;
  /** The code of the error that was sent. */
  errorCode: string | undefined;
  /** Set by the middleware that handles the request; `respond` sends it. */
  response: ApiResponse | undefined;
}

export type Context = Koa.ParameterizedContext<State>;

export type Middleware = Koa.Middleware<State>;
