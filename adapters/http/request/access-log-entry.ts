import type { IncomingMessage } from 'node:http';
import type { Caller } from '#application/access.ts';
import { knownMethod } from './methods.ts';
import { requestIdOf } from './request-id.ts';

/** A request and its answer, when both are over. */
export interface Exchange {
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
export type Watch = () => (exchange: Exchange) => void;

/** Told of what was refused before there was a request to watch. */
export type Refused = (exchange: Exchange) => void;

/** What stands for the pattern where no route has this path; where nobody looked for one; where there is no path. */
export const unmatched = 'unmatched';
export const unlooked = 'unlooked';
export const unreadable = 'unreadable';

/** A request that was refused on the spot. */
export const refusedOnSight = ({ method, ...exchange }: Sight): Exchange => ({
  ...exchange,
  method: knownMethod(method),
  milliseconds: 0,
  ending: 'refused',
  caller: undefined,
});

/** A request whose client had left before its turn came. */
export const leftWaiting = ({ method, headers }: IncomingMessage, milliseconds: number): Exchange => ({
  requestId: requestIdOf(headers['x-request-id']),
  method: knownMethod(method),
  route: unlooked,
  status: clientLeft,
  milliseconds,
  ending: 'aborted',
  caller: undefined,
});

interface Sight extends Pick<Exchange, 'requestId' | 'route' | 'status'> {
  /** As the client wrote it, if that could be read. */
  readonly method: string | undefined;
}

/** What proxies call the status of a request whose client did not wait for it. */
export const clientLeft = 499;
