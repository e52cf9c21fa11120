import { ApplicationError } from '#application/errors.ts';
import { HttpError, toPublicError } from '../errors.ts';
import { onFinished } from '../server/on-finished.ts';
import type { OnRequest } from './access-log-entry.ts';
import type { Context } from './context.ts';
import { DeadlineSweeper } from './deadline-sweeper.ts';
import { requestIdOf } from './request-id.ts';
import { type ApiResponse, errorResponse } from './response.ts';
import { sendResponse } from './send.ts';
import { receivedAt } from './timing.ts';
import { accessLogRecorder } from './watched.ts';

/** How long things may take, in milliseconds. */
interface Timeouts {
  /** An answer, from when its request has arrived. */
  readonly request: number;
  /** A request, from when its headers have arrived. */
  readonly arrival: number;
}

interface Dependencies {
  /** The headers that every answer has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  readonly onRequest: OnRequest;
  /** The pattern of a path, where a request was refused before anybody asked. */
  readonly patternOf: (path: string) => string;
  /** Told what was nobody's wish. */
  readonly report: (error: unknown, requestId: string) => void;
}

/**
 * The outermost layer: every answer leaves with a request id and the headers that all have, and whatever is thrown
 * inside becomes a refusal in the envelope. What takes too long becomes one too, and what comes of it later, nobody
 * waits for.
 */
export const respond = (
  answerTo: (context: Context) => ApiResponse | Promise<ApiResponse>,
  { headers, timeouts: patience, onRequest: watch, patternOf, report }: Dependencies,
): ((context: Context) => Promise<void>) => {
  const common = Object.entries(headers).flat();
  const deadlines = new DeadlineSweeper(currentDeadline, sendTimeoutResponse);

  return async (context) => {
    const { req, res } = context;
    const arrived = receivedAt(res);
    const requestId = requestIdOf(req.headers['x-request-id']);
    context.state = {
      requestId,
      headers: [...common, 'X-Request-Id', requestId],
      path: '',
      query: '',
      deadline: arrived + patience.request,
      bodyDeadline: arrived + patience.arrival,
      isReceivingBody: false,
      caller: undefined,
      route: undefined,
    };
    onFinished(res, accessLogRecorder(watch(), context, arrived, patternOf));
    const limited = deadlines.add(context);
    try {
      // Node has looked at all that came with the headers by then, and refuses itself what is framed in no way of HTTP.
      await undefined;
      const reply = await answerTo(context);
      deadlines.remove(limited);
      sendResponse(context, reply);
    } catch (error) {
      deadlines.remove(limited);
      const isInTime = !res.headersSent;
      const problem = toPublicError(error);
      sendResponse(context, errorResponse(problem, requestId));
      // That the store was away, the delay has said already.
      if (problem.status >= 500 && (isInTime || problem.status !== 503)) report(error, requestId);
    }
  };
};

/** Waits for what the client still sends. The time that takes is the client's own. */
export const receiveBody = async <T>({ state }: Context, body: Promise<T>): Promise<T> => {
  const began = performance.now();
  state.isReceivingBody = true;
  const read = await body;
  state.isReceivingBody = false;
  state.deadline += performance.now() - began;
  return read;
};

const currentDeadline = ({ state }: Context): number =>
  state.isReceivingBody ? state.bodyDeadline : state.deadline;

/** The work goes on, and nobody waits for it. */
const sendTimeoutResponse = (context: Context): void => {
  const { requestId, isReceivingBody: isArriving } = context.state;
  sendResponse(
    context,
    errorResponse(toPublicError(isArriving ? requestTimeout() : deadlineExceeded()), requestId),
  );
};

const requestTimeout = (): Error =>
  new HttpError('request-timeout', 'The request took too long to arrive.', { Connection: 'close' });

const deadlineExceeded = (): Error => new ApplicationError('unavailable', 'This took too long: try again.');
