import type { ParameterizedContext } from 'koa';
import type { Caller } from '#application/access.ts';

/** What the middlewares find out about a request, one after the other. */
export interface State {
  requestId: string;
  /** When it has to be answered, on the scale of `performance.now()`. */
  deadline: number;
  /** When it has to be there. */
  arrivesBy: number;
  /** Rings when that may be over. */
  alarm?: NodeJS.Timeout;
  /** Whether its body is on the way, and waited for. */
  isArriving?: boolean;
  /** Known from authentication on; a preflight has none. */
  caller?: Caller;
  /** The pattern of the path, once a route has been found. */
  route?: string;
}

export type Context = ParameterizedContext<State>;
export type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>;
