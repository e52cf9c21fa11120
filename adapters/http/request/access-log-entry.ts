import type { IncomingMessage } from 'node:http';
import type { Caller } from '#application/access.ts';
import { methodLabel } from './methods.ts';
import { requestIdOf } from './request-id.ts';

/** A request and its answer, when both are over. */
export interface AccessLogEntry {
  readonly requestId: string;
  /** One of those that there are, or `other`. */
  readonly method: string;
  /**
   * The pattern of the path, such as `/v1/orders/{id}`, or why there is none. Never the path itself: whoever mistakes it
   * for another part of a request writes a token there.
   */
  readonly route: string;
  /** As it was answered; 499 when the client had left before. */
  readonly status: number;
  readonly milliseconds: number;
  readonly ending: Ending;
  /** Undefined until it was known who asks. */
  readonly caller: Caller | undefined;
}

/** Answered; left by the client before it was; refused before there was a request that could be understood, or taken. */
type Ending = 'answered' | 'aborted' | 'refused';

/** Told of each request as it begins; what it gives is told how that ended. */
export type OnRequest = () => (exchange: AccessLogEntry) => void;

/** Told of what was refused before there was a request to watch. */
export type OnRejected = (exchange: AccessLogEntry) => void;

/** What stands for the pattern where no route has this path; where nobody looked for one; where there is no path. */
export const unmatchedRoute = 'unmatched';
export const unroutedRequest = 'unlooked';
export const unreadableRequest = 'unreadable';

/** A request that was refused on the spot. */
export const rejectedBeforeHandling = ({ method, ...exchange }: RejectedRequest): AccessLogEntry => ({
  ...exchange,
  method: methodLabel(method),
  milliseconds: 0,
  ending: 'refused',
  caller: undefined,
});

/** A request whose client had left before its turn came. */
export const abandonedInQueue = (
  { method, headers }: IncomingMessage,
  milliseconds: number,
): AccessLogEntry => ({
  requestId: requestIdOf(headers['x-request-id']),
  method: methodLabel(method),
  route: unroutedRequest,
  status: clientClosedRequest,
  milliseconds,
  ending: 'aborted',
  caller: undefined,
});

interface RejectedRequest extends Pick<AccessLogEntry, 'requestId' | 'route' | 'status'> {
  /** As the client wrote it, if that could be read. */
  readonly method: string | undefined;
}

/** What proxies call the status of a request whose client did not wait for it. */
export const clientClosedRequest = 499;
