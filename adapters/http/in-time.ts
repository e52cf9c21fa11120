import { ApplicationError } from '#application/errors.ts';
import { arrivalOf } from './arrival.ts';
import type { Context } from './context.ts';
import { HttpError, problemOf } from './errors.ts';
import { type Reply, refusal } from './reply.ts';
import { send } from './send.ts';

/** How long things may take, in milliseconds. */
export interface Patience {
  /** An answer, from when its request has arrived. */
  readonly request: number;
  /** A request, from when its headers have arrived. */
  readonly arrival: number;
}

/** Sees to it that the request is answered by its deadline, whatever the work for it is doing then. */
export const watch = (context: Context, patience: Patience): void => {
  const { state, res } = context;
  const arrived = arrivalOf(res);
  state.deadline = arrived + patience.request;
  state.arrivesBy = arrived + patience.arrival;
  setAlarm(context, Math.min(state.deadline, state.arrivesBy));
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

/** @returns whether the answer can still be given: it has been given without the work when that took too long */
export const endWatch = ({ state, respond }: Context): boolean => {
  clearTimeout(state.alarm);
  return respond !== false;
};

/** Timers may be a millisecond early. */
const setAlarm = (context: Context, at: number): void => {
  context.state.alarm = setTimeout(lookAt, Math.max(1, Math.ceil(at - performance.now())), context);
};

const lookAt = (context: Context): void => {
  const { state, res } = context;
  if (res.headersSent || res.destroyed) return;
  // Some requests have got more time meanwhile.
  const end = state.isArriving ? state.arrivesBy : state.deadline;
  if (performance.now() < end) setAlarm(context, end);
  else answerNow(context, state.isArriving ? tooSlow() : tooLate());
};

const tooSlow = (): Error =>
  new HttpError('request-timeout', 'The request took too long to arrive.', { Connection: 'close' });

const tooLate = (): Error => new ApplicationError('unavailable', 'This took too long: try again.');

/** Koa answers when the work is done, and that is not waited for. */
const answerNow = (context: Context, error: Error): void => {
  const reply: Reply = refusal(problemOf(error), context.state.requestId);
  send(context, reply);
  context.respond = false;
  context.res.end(context.req.method === 'HEAD' ? undefined : reply.body);
};
