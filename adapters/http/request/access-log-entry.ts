import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UnavailableReason } from '#application/errors.ts';
import type { Caller } from '#application/preconditions.ts';
import { type ClientInfo, clientOf } from './client-info.ts';
import type { Context } from './context.ts';
import { receivedAt, unavailableReasonOf } from './node-response.ts';
import { requestIdOf } from './response.ts';

/** A finished request and its response, as the access log and the metrics record them. */
export interface AccessLogEntry {
  readonly requestId: string;
  /** A known method, or `other`. */
  readonly method: string;
  /**
   * The pattern of the path, such as `/v1/orders/{id}`, or one of the placeholders below. Never the path itself: clients
   * put tokens into paths by mistake.
   */
  readonly route: string;
  /** The status of the response; 499 when the client closed the request first. */
  readonly status: number;
  readonly milliseconds: number;
  /** How much of that the request waited for a change, as its client prefers. */
  readonly waitedMs: number;
  readonly ending: Ending;
  readonly client: ClientInfo;
  /** The code of the error in the response; undefined when it is none, or was not sent. */
  readonly errorCode: string | undefined;
  /** Undefined when the request ended before authentication. */
  readonly caller: Caller | undefined;
  /** Why the response is 503, if it is. */
  readonly unavailableReason: UnavailableReason | undefined;
}

/** `aborted`: the client closed the request first. `refused`: the request was rejected before the application handled it. */
type Ending = 'answered' | 'aborted' | 'refused';

/** Called when a request begins. The function that it returns is called once with the entry when the request has ended. */
export type OnRequest = () => (entry: AccessLogEntry) => void;

/** Called for each request that ended before the application handled it. */
export type OnRejected = (entry: AccessLogEntry) => void;

/** Placeholders for `route`: no route has this path; the path was never matched; the request could not be parsed. */
export const unmatchedRoute = 'unmatched';
export const unroutedRequest = 'unlooked';
export const unreadableRequest = 'unreadable';

/** Client Closed Request: nginx logs this status for a client that disconnects before the response. */
const clientClosedRequest = 499;

interface RejectedRequest extends Pick<AccessLogEntry, 'requestId' | 'route' | 'status' | 'client'> {
  readonly errorCode?: string | undefined;
  readonly unavailableReason?: UnavailableReason;
  /** Undefined when the method could not be parsed. */
  readonly method: string | undefined;
}

/** The entry of a request that the server rejects before the application handles it. */
export const rejectedBeforeHandling = ({ method, ...request }: RejectedRequest): AccessLogEntry => ({
  unavailableReason: undefined,
  errorCode: undefined,
  ...request,
  method: methodLabel(method),
  milliseconds: 0,
  waitedMs: 0,
  ending: 'refused',
  caller: undefined,
});

/** The entry of a request whose client disconnects while the request waits in the admission queue. */
export const abandonedInQueue = (
  request: IncomingMessage,
  response: ServerResponse,
  behindProxy: boolean,
): AccessLogEntry => ({
  requestId: requestIdOf(request.headers['x-request-id'], request.headers.authorization),
  method: methodLabel(request.method),
  route: unroutedRequest,
  status: clientClosedRequest,
  milliseconds: performance.now() - receivedAt(response),
  waitedMs: 0,
  ending: 'aborted',
  client: clientOf(request, behindProxy),
  errorCode: undefined,
  caller: undefined,
  unavailableReason: undefined,
});

/**
 * Makes the function that records a request once its last byte is handed to the system, or its connection is closed.
 * @param record receives the entry
 * @param client who sent it
 * @param received when the request arrived, on the scale of `performance.now()`
 * @param patternOf the route pattern of a path, for requests that were rejected before routing
 */
export const accessLogRecorder =
  (
    record: ReturnType<OnRequest>,
    { req, res, state }: Context,
    client: ClientInfo,
    received: number,
    patternOf: (path: string) => string,
  ) =>
  (): void => {
    const isSent = res.writableFinished;
    const now = performance.now();
    record({
      requestId: state.requestId,
      method: methodLabel(req.method),
      route: state.route ?? patternOf(state.path),
      status: isSent ? res.statusCode : clientClosedRequest,
      milliseconds: now - received,
      waitedMs: state.waitedMs + now - (state.waitsSince ?? now),
      ending: isSent ? 'answered' : 'aborted',
      client,
      errorCode: isSent ? state.errorCode : undefined,
      caller: state.caller,
      unavailableReason: isSent ? unavailableReasonOf(res) : undefined,
    });
  };

const knownMethods = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'CONNECT',
  'TRACE',
]);

/** Clients can invent methods without end: an unknown one as a metric label would be unbounded cardinality. */
const methodLabel = (method: string | undefined): string =>
  method !== undefined && knownMethods.has(method) ? method : 'other';
