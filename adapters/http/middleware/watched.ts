import type { ServerResponse } from 'node:http';
import { constants } from 'node:http2';
import { arrivalOf } from '../arrival.ts';
import type { Context, Middleware } from '../context.ts';
import { clientLeft, type Watch } from '../exchange.ts';
import { knownMethod } from '../methods.ts';
import { isMultiplexed } from '../multiplexed.ts';

/**
 * Lets somebody watch every request, whatever becomes of it. It is over when its last byte has been handed to the system,
 * or when its connection is gone.
 * @param patternOf of the path of a request that was refused before anybody asked
 */
export const watched =
  (watch: Watch, patternOf: (context: Context) => string): Middleware =>
  (context, next) => {
    const { res, state, method } = context;
    const began = arrivalOf(res);
    const over = watch();
    res.once('close', () => {
      const isAnswered = isComplete(res);
      over({
        requestId: state.requestId,
        method: knownMethod(method),
        route: state.route ?? patternOf(context),
        status: isAnswered ? res.statusCode : clientLeft,
        milliseconds: performance.now() - began,
        ending: isAnswered ? 'answered' : 'aborted',
        caller: state.caller,
      });
    });
    return next();
  };

/** Of HTTP/2, Node calls everything finished whose stream is closed, also by a client who did not wait. */
const isComplete = (response: ServerResponse): boolean =>
  isMultiplexed(response)
    ? response.writableEnded && response.stream.rstCode === constants.NGHTTP2_NO_ERROR
    : response.writableFinished;
