import { UnavailableError } from '#application/errors.ts';
import { HttpError, type PublicError, toPublicError } from '../errors.ts';
import { accessLogRecorder, type OnRequest } from './access-log-entry.ts';
import { clientOf } from './client-info.ts';
import type { ApiResponse, Context, Middleware } from './context.ts';
import { type SwapRemoveEntry, SwapRemoveSet } from './in-flight.ts';
import { onFinished, receivedAt, setUnavailableReason } from './node-response.ts';
import { errorResponse, requestIdOf, sendResponse } from './response.ts';

/** In milliseconds. */
interface Timeouts {
  /** From the arrival of the request headers to the response, without the time in which the client sends the body. */
  readonly request: number;
  /** From the arrival of the request headers to the end of the body. */
  readonly arrival: number;
}

interface Dependencies {
  /** The headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a trusted proxy is in front, which names the client's address. */
  readonly behindProxy: boolean;
  readonly timeouts: Timeouts;
  readonly onRequest: OnRequest;
  /** The route pattern of a path, for requests that are rejected before routing. */
  readonly patternOf: (path: string) => string;
  /** Called with each error that is a defect or an outage, not the client's mistake. */
  readonly report: (error: unknown, requestId: string) => void;
}

/**
 * The outermost middleware: adds the request id and the common headers, turns errors into responses, and enforces deadlines with
 * 503 and 408. Work that outlives its deadline goes on, and its result is dropped.
 */
export const respond = ({
  headers,
  behindProxy,
  timeouts,
  onRequest,
  patternOf,
  report,
}: Dependencies): Middleware => {
  const common = Object.entries(headers).flat();
  const deadlines = new DeadlineSweeper(currentDeadline, sendTimeoutResponse);

  return async (context, next) => {
    // Koa would set each header by itself and write at once; `sendResponse` does not.
    context.respond = false;
    const { req, res } = context;
    const received = receivedAt(res);
    const requestId = requestIdOf(req.headers['x-request-id'], req.headers.authorization);
    context.state = {
      requestId,
      headers: [...common, 'X-Request-Id', requestId],
      path: '',
      query: '',
      deadline: received + timeouts.request,
      waitedMs: 0,
      waitsSince: undefined,
      bodyDeadline: received + timeouts.arrival,
      isReceivingBody: false,
      caller: undefined,
      pendingCaller: undefined,
      route: undefined,
      errorCode: undefined,
      response: undefined,
    };
    onFinished(res, accessLogRecorder(onRequest(), context, clientOf(req, behindProxy), received, patternOf));
    const pending = deadlines.add(context);
    try {
      // Lets Node parse all that arrived with the headers, so that it rejects a malformed body framing before the handler runs.
      await undefined;
      await next();
      deadlines.remove(pending);
      sendResponse(context, responseOf(context));
    } catch (error) {
      deadlines.remove(pending);
      const isInTime = !res.headersSent;
      const problem = toPublicError(error);
      sendError(context, problem);
      // A 503 after the deadline adds nothing: the client has got the timeout response already.
      if (problem.status >= 500 && (isInTime || problem.status !== 503)) report(error, requestId);
    }
  };
};

const responseOf = ({ state }: Context): ApiResponse => {
  if (state.response === undefined) throw new TypeError('No middleware has responded to the request.');
  return state.response;
};

/** Waits for the rest of a body. The client's sending time is added to the deadline of the response. */
export const receiveBody = async <T>({ state }: Context, body: Promise<T>): Promise<T> => {
  const began = performance.now();
  state.isReceivingBody = true;
  const received = await body;
  state.isReceivingBody = false;
  state.deadline += performance.now() - began;
  return received;
};

const currentDeadline = ({ state }: Context): number =>
  state.isReceivingBody ? state.bodyDeadline : state.deadline;

const sendTimeoutResponse = (context: Context): void => {
  const error = context.state.isReceivingBody ? requestTimeout() : new UnavailableError('deadline-exceeded');
  sendError(context, toPublicError(error));
};

const sendError = (context: Context, problem: PublicError): void => {
  const { res, state } = context;
  const { unavailableReason } = problem;
  if (unavailableReason !== undefined && !res.headersSent) setUnavailableReason(res, unavailableReason);
  sendResponse(context, errorResponse(problem, state.requestId));
};

const requestTimeout = (): Error =>
  new HttpError('request-timeout', 'The request took too long to arrive.', { Connection: 'close' });

/** How often it checks for expired items: an item is reported at most this much after its deadline. */
const sweepIntervalMs = 25;

/**
 * Reports items that exceed their deadline. One timer sweeps over all items: deadlines rarely expire, and a timer for each item
 * would dominate the cost of a short request.
 */
class DeadlineSweeper<T> {
  readonly #deadlineOf: (item: T) => number;
  readonly #onExpired: (item: T) => void;
  readonly #items = new SwapRemoveSet<T>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param deadlineOf the deadline of an item, on the scale of `performance.now()`; it may change between sweeps
   * @param onExpired called for an expired item at each sweep until the item is removed
   */
  constructor(deadlineOf: (item: T) => number, onExpired: (item: T) => void) {
    this.#deadlineOf = deadlineOf;
    this.#onExpired = onExpired;
  }

  add(item: T): SwapRemoveEntry<T> {
    this.#timer ??= setTimeout(this.#sweep, sweepIntervalMs).unref();
    return this.#items.add(item);
  }

  remove(member: SwapRemoveEntry<T>): void {
    this.#items.remove(member);
  }

  readonly #sweep = (): void => {
    this.#timer = this.#items.size > 0 ? setTimeout(this.#sweep, sweepIntervalMs).unref() : undefined;
    const now = performance.now();
    for (const item of this.#items.values) if (now >= this.#deadlineOf(item)) this.#onExpired(item);
  };
}
