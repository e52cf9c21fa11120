import type { ParameterizedContext } from 'koa';
import type { Caller } from '#application/access.ts';

/** What is found out about a request, step by step. */
export interface State {
  requestId: string;
  /** What the answer says besides its own headers: names and values in turn. */
  readonly headers: string[];
  /** The path as the client wrote it; empty until it has been found in order. */
  path: string;
  /** What stands behind the question mark. */
  query: string;
  /** When it has to be answered, on the scale of `performance.now()`. */
  deadline: number;
  /** When it has to be there. */
  readonly bodyDeadline: number;
  /** Whether its body is on the way, and waited for. */
  isReceivingBody: boolean;
  /** Known from authentication on; a preflight has none. */
  caller: Caller | undefined;
  /** The pattern of the path, once a route has been found. */
  route: string | undefined;
}

export type Context = ParameterizedContext<State>;
