import type { ServerResponse } from 'node:http';
import { http2ErrorCode, isHttp2Response } from '../server/http2.ts';
import { clientClosedRequest, type OnRequest } from './access-log-entry.ts';
import type { Context } from './context.ts';
import { methodLabel } from './methods.ts';

/**
 * What tells of a request once it is over: its last byte has been handed to the system, or its connection is gone.
 * @param arrived when it came, on the scale of `performance.now()`
 * @param patternOf a path, where the request was refused before anybody asked
 */
export const accessLogRecorder =
  (
    over: ReturnType<OnRequest>,
    { req, res, state }: Context,
    arrived: number,
    patternOf: (path: string) => string,
  ) =>
  (): void => {
    const isAnswered = isFullySent(res);
    over({
      requestId: state.requestId,
      method: methodLabel(req.method),
      route: state.route ?? patternOf(state.path),
      status: isAnswered ? res.statusCode : clientClosedRequest,
      milliseconds: performance.now() - arrived,
      ending: isAnswered ? 'answered' : 'aborted',
      caller: state.caller,
    });
  };

/** Of HTTP/2, Node calls everything finished whose stream is closed, also by a client who did not wait. */
const isFullySent = (response: ServerResponse): boolean =>
  isHttp2Response(response)
    ? response.writableEnded && response.stream.rstCode === http2ErrorCode.none
    : response.writableFinished;
