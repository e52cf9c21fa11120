import type { ServerResponse } from 'node:http';
import { isMultiplexed, reason } from '../server/http2.ts';
import { clientLeft, type Watch } from './access-log-entry.ts';
import type { Context } from './context.ts';
import { knownMethod } from './methods.ts';

/**
 * What tells of a request once it is over: its last byte has been handed to the system, or its connection is gone.
 * @param arrived when it came, on the scale of `performance.now()`
 * @param patternOf a path, where the request was refused before anybody asked
 */
export const tellOf =
  (
    over: ReturnType<Watch>,
    { req, res, state }: Context,
    arrived: number,
    patternOf: (path: string) => string,
  ) =>
  (): void => {
    const isAnswered = isComplete(res);
    over({
      requestId: state.requestId,
      method: knownMethod(req.method),
      route: state.route ?? patternOf(state.path),
      status: isAnswered ? res.statusCode : clientLeft,
      milliseconds: performance.now() - arrived,
      ending: isAnswered ? 'answered' : 'aborted',
      caller: state.caller,
    });
  };

/** Of HTTP/2, Node calls everything finished whose stream is closed, also by a client who did not wait. */
const isComplete = (response: ServerResponse): boolean =>
  isMultiplexed(response)
    ? response.writableEnded && response.stream.rstCode === reason.none
    : response.writableFinished;
