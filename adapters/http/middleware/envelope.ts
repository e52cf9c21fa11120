import type { Middleware } from '../context.ts';
import { problemOf } from '../errors.ts';
import { endWatch, type Patience, watch } from '../in-time.ts';
import { refusal } from '../reply.ts';
import { requestIdOf } from '../request-id.ts';
import { send } from '../send.ts';

/**
 * The outermost layer: every answer leaves with a request id and the headers that all have, and whatever is thrown
 * inside becomes a refusal in the envelope. What takes too long becomes one too, and what comes of it later, nobody
 * waits for.
 * @param report is told what was nobody's wish
 */
export const envelope =
  (
    headers: Readonly<Record<string, string>>,
    patience: Patience,
    report: (error: unknown, requestId: string) => void,
  ): Middleware =>
  async (context, next) => {
    const requestId = requestIdOf(context.req.headers['x-request-id']);
    context.state.requestId = requestId;
    context.set({ ...headers, 'X-Request-Id': requestId });
    watch(context, patience);
    try {
      await next();
      endWatch(context);
    } catch (error) {
      const isInTime = endWatch(context);
      const problem = problemOf(error);
      if (isInTime) send(context, refusal(problem, requestId));
      // That the store was away, the delay has said already.
      if (problem.status >= 500 && (isInTime || problem.status !== 503)) report(error, requestId);
    }
  };
