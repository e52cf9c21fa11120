import type { Middleware } from '../context.ts';
import { problemOf } from '../errors.ts';
import { refusal } from '../reply.ts';
import { requestIdOf } from '../request-id.ts';
import { send } from '../send.ts';

/**
 * The outermost layer: every answer leaves with a request id and the headers that all have, and whatever is thrown
 * inside becomes a refusal in the envelope.
 * @param report is told what was nobody's wish
 */
export const envelope =
  (
    headers: Readonly<Record<string, string>>,
    report: (error: unknown, requestId: string) => void,
  ): Middleware =>
  async (context, next) => {
    const requestId = requestIdOf(context.req.headers['x-request-id']);
    context.state.requestId = requestId;
    context.set({ ...headers, 'X-Request-Id': requestId });
    try {
      await next();
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500) report(error, requestId);
      send(context, refusal(problem, requestId));
    }
  };
