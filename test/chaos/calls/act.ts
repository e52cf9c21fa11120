import { setTimeout as pause } from 'node:timers/promises';
import { Random } from '#test/support/random.ts';
import { createdSubject, type Subject } from '../../lab/clients/response.ts';
import { NoFinalResponseError, type RetriedRequest } from '../../lab/clients/retried-request.ts';
import type { ObservedDatabase } from '../../lab/databases.ts';
import type { Visit } from '../visit.ts';

/** One thing that a server does. */
export interface Act {
  /** Has it done by the server. Resolves when it is done, or cannot be. */
  run(): Promise<unknown>;
  /** Goes on after a kill, until it is done. */
  finish(): Promise<unknown>;
}

export interface World {
  readonly visit: Visit;
  readonly database: Pick<ObservedDatabase, 'query'>;
}

/** Makes all that the act needs. @throws NoFinalResponseError */
export type Operation = (world: World) => Promise<Act>;

/** How long something is waited for that the server does by itself, in milliseconds. What takes longer is judged in the end. */
const waitingTimeMs = 8_000;

/** A client that uses a new connection for each request, and never cuts one. */
class SteadyClient extends Random {
  override chance(): boolean {
    return false;
  }
}

const steady = new SteadyClient(1);

/** The server does what a request asks for. */
export const requested = (visit: Visit, request: RetriedRequest): Act => ({
  run: () => request.attempt(visit.fleet.servers[0], steady),
  finish: () => request.untilFinal(steady),
});

/** The server does something by itself. @param found selects a row when it is done */
export const untilFound = async ({ visit, database }: World, found: string): Promise<void> => {
  const deadline = performance.now() + waitingTimeMs;
  while (performance.now() < deadline && visit.fleet.servers[0].pid !== undefined) {
    if ((await database.query(found)).length > 0) return;
    await pause(100);
  }
};

/** Sends a request that is to make what an act needs. @throws NoFinalResponseError */
export const created = async (request: RetriedRequest): Promise<Subject> => {
  const subject = createdSubject(await request.untilFinal(steady));
  if (subject === undefined) throw new NoFinalResponseError('What the operation needs was not made.');
  return subject;
};
