import { ApplicationError } from '#application/errors.ts';
import { HttpError, problemOf } from '../errors.ts';
import { whenOver } from '../server/on-finished.ts';
import type { Watch } from './access-log-entry.ts';
import type { Context } from './context.ts';
import { Deadlines } from './deadline-sweeper.ts';
import { requestIdOf } from './request-id.ts';
import { type Reply, refusal } from './response.ts';
import { send } from './send.ts';
import { arrivalOf } from './timing.ts';
import { tellOf } from './watched.ts';

/** How long things may take, in milliseconds. */
interface Patience {
  /** An answer, from when its request has arrived. */
  readonly request: number;
  /** A request, from when its headers have arrived. */
  readonly arrival: number;
}

interface Parts {
  /** The headers that every answer has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly patience: Patience;
  readonly watch: Watch;
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
export const answering = (
  answerTo: (context: Context) => Reply | Promise<Reply>,
  { headers, patience, watch, patternOf, report }: Parts,
): ((context: Context) => Promise<void>) => {
  const common = Object.entries(headers).flat();
  const deadlines = new Deadlines(endOf, tellLate);

  return async (context) => {
    const { req, res } = context;
    const arrived = arrivalOf(res);
    const requestId = requestIdOf(req.headers['x-request-id']);
    context.state = {
      requestId,
      headers: [...common, 'X-Request-Id', requestId],
      path: '',
      query: '',
      deadline: arrived + patience.request,
      arrivesBy: arrived + patience.arrival,
      isArriving: false,
      caller: undefined,
      route: undefined,
    };
    whenOver(res, tellOf(watch(), context, arrived, patternOf));
    const limited = deadlines.add(context);
    try {
      // Node has looked at all that came with the headers by then, and refuses itself what is framed in no way of HTTP.
      await undefined;
      const reply = await answerTo(context);
      deadlines.remove(limited);
      send(context, reply);
    } catch (error) {
      deadlines.remove(limited);
      const isInTime = !res.headersSent;
      const problem = problemOf(error);
      send(context, refusal(problem, requestId));
      // That the store was away, the delay has said already.
      if (problem.status >= 500 && (isInTime || problem.status !== 503)) report(error, requestId);
    }
  };
};

/** Waits for what the client still sends. The time that takes is the client's own. */
export const arriving = async <T>({ state }: Context, body: Promise<T>): Promise<T> => {
  const began = performance.now();
  state.isArriving = true;
  const read = await body;
  state.isArriving = false;
  state.deadline += performance.now() - began;
  return read;
};

const endOf = ({ state }: Context): number => (state.isArriving ? state.arrivesBy : state.deadline);

/** The work goes on, and nobody waits for it. */
const tellLate = (context: Context): void => {
  const { requestId, isArriving } = context.state;
  send(context, refusal(problemOf(isArriving ? tooSlow() : tooLate()), requestId));
};

const tooSlow = (): Error =>
  new HttpError('request-timeout', 'The request took too long to arrive.', { Connection: 'close' });

const tooLate = (): Error => new ApplicationError('unavailable', 'This took too long: try again.');
