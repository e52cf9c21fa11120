import type { ParameterizedContext } from 'koa';
import type { Caller } from '#application/access.ts';

/** What the middlewares find out about a request, one after the other. */
export interface State {
  requestId: string;
  /** Known from authentication on; a preflight has none. */
  caller?: Caller;
}

export type Context = ParameterizedContext<State>;
export type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;
