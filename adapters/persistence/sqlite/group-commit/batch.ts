import type { Connection } from '../connection.ts';
import { GuardedSession } from './guarded-session.ts';
import { carryOut, type Outcome, type Request } from './write-request.ts';

/** How many share a transaction at the most: so long nothing else moves in this process. */
const most = 64;

interface Member extends Outcome {
  readonly request: Request;
}

/**
 * Who is being run, and how that is over. It is no function made for each request: then V8 kept much of every one of them until
 * it cleaned all of the memory.
 */
interface Running {
  readonly session: GuardedSession;
  readonly over: () => void;
}

/**
 * Requests that share a transaction, one after the other. Nobody hears anything before the commit, not even a refusal, for
 * it may be owed to what another one has done. Where one of them cannot be in it and has changed something already, which
 * hardly ever happens, all of it is rolled back: that one is run alone, and the others again. A savepoint for each of them
 * would cost some 30 µs.
 */
export class Group {
  readonly #connection: Connection;
  readonly #runAlone: (request: Request) => void;
  readonly #requireFiles: () => void;
  readonly #members: Member[] = [];
  #running: Running | undefined;

  /**
   * @param runAlone takes whoever cannot be among the others, when nothing of theirs runs any more
   * @param requireFiles throws when what has been committed went into a file that nobody will find again
   */
  constructor(connection: Connection, runAlone: (request: Request) => void, requireFiles: () => void) {
    this.#connection = connection;
    this.#runAlone = runAlone;
    this.#requireFiles = requireFiles;
  }

  get isFull(): boolean {
    return this.#members.length >= most;
  }

  get hasRoom(): boolean {
    return !this.isFull && this.#connection.isInTransaction;
  }

  /** Resolves when it has been run, or was cut off. */
  take(request: Request): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = { session: new GuardedSession(this.#connection), over: resolve };
    this.#running = running;
    void carryOut(request, running.session).then((outcome) => {
      if (this.#running !== running) return this.#runAlone(request);
      this.#running = undefined;
      if (this.#connection.isInTransaction) this.#members.push({ ...outcome, request });
      else if (this.#members.length > 0) this.#runAlone(request);
      else outcome.answer();
      resolve();
    });
    return promise;
  }

  /** Whoever is being run waits for something else, and must not keep the others waiting: it is undone, and run alone. */
  cutOff(): void {
    this.#running?.session.undo();
    this.#running?.over();
    this.#running = undefined;
  }

  /**
   * Commits, and answers.
   * @returns those that are to be run again, for no fault of theirs
   */
  end(): Request[] {
    // Who is late is refused when it is to begin again.
    if (this.#members.some(isLate)) this.#connection.rollBack();
    if (!this.#connection.isInTransaction) return this.#members.map(({ request }) => request);
    try {
      this.#connection.commit();
      this.#requireFiles();
      for (const { answer } of this.#members) answer();
    } catch (error) {
      this.#connection.rollBack();
      for (const { request } of this.#members) request.refuse(error);
    }
    return [];
  }
}

/** Whoever was refused is told so, however late. */
const isLate = ({ request, isRefused }: Member): boolean => !isRefused && performance.now() >= request.until;
