import { throwIfExpired } from '../../deadline.ts';
import type { SqliteConnection } from '../connection.ts';
import { GuardedSession } from './guarded-session.ts';

/** Bounds how long the event loop is blocked by one batch, in requests. */
const maxBatchSize = 64;

/** Settles the promise of the caller, once the outcome is durable. */
type Settle = () => void;

/** One unit of work that waits for a transaction. It may run more than once. */
export interface WriteRequest {
  readonly run: (session: GuardedSession) => Promise<Settle>;
  readonly reject: (error: unknown) => void;
  /** When its client stops waiting, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Until when it waits for other processes to release the write lock, on the same clock. */
  readonly queueDeadline: number;
  /** Whether it has a transaction of its own. */
  readonly isSolo: boolean;
  /** Whether it must survive a power loss. */
  readonly isDurable: boolean;
}

/** The outcome of a request; it holds only if the transaction commits. */
interface Outcome {
  readonly settle: Settle;
  readonly isRejected: boolean;
}

interface Member extends Outcome {
  readonly request: WriteRequest;
}

/** The member that is executing, and the callback that ends the wait for it. */
interface Running {
  readonly session: GuardedSession;
  readonly resolve: () => void;
}

/**
 * Group commit: units of work that share one transaction, executed one after the other and settled after its commit. Errors
 * wait for the commit too, because another member's uncommitted change may have caused them.
 *
 * Members need no savepoint each. Where one must leave the batch after it has changed rows, the whole transaction rolls back
 * and the others run again.
 */
export class Batch {
  readonly #connection: SqliteConnection;
  readonly #requeueSolo: (request: WriteRequest) => void;
  readonly #checkFiles: () => void;
  readonly #members: Member[] = [];
  #running: Running | undefined;

  /**
   * @param requeueSolo enqueues a request that cannot share a transaction, once no part of it executes any more
   * @param checkFiles throws when the commit went into a file that was removed or replaced
   */
  constructor(
    connection: SqliteConnection,
    requeueSolo: (request: WriteRequest) => void,
    checkFiles: () => void,
  ) {
    this.#connection = connection;
    this.#requeueSolo = requeueSolo;
    this.#checkFiles = checkFiles;
  }

  get isFull(): boolean {
    return this.#members.length >= maxBatchSize;
  }

  get hasRoom(): boolean {
    return !this.isFull && this.#connection.isInTransaction;
  }

  /** Resolves when the request has executed or was evicted. */
  execute(request: WriteRequest): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = { session: new GuardedSession(this.#connection), resolve };
    this.#running = running;
    void executeRequest(request, running.session).then((outcome) => {
      if (this.#running !== running) return this.#requeueSolo(request);
      this.#running = undefined;
      if (this.#connection.isInTransaction) this.#members.push({ ...outcome, request });
      else if (this.#members.length > 0) this.#requeueSolo(request);
      else outcome.settle();
      resolve();
    });
    return promise;
  }

  /** Rolls back the member that still waits for something else, so that the others can commit. It runs again, solo. */
  evictRunning(): void {
    this.#running?.session.rollback();
    this.#running?.resolve();
    this.#running = undefined;
  }

  /**
   * Commits, and settles every member.
   * @returns the requests to run again because another member made the transaction roll back
   */
  commit(): WriteRequest[] {
    // An expired member is rejected when it runs again.
    if (this.#members.some(isExpired)) this.#connection.rollback();
    if (!this.#connection.isInTransaction) return this.#members.map(({ request }) => request);
    try {
      this.#connection.commit();
      this.#checkFiles();
      for (const { settle } of this.#members) settle();
    } catch (error) {
      this.#connection.rollback();
      for (const { request } of this.#members) request.reject(error);
    }
    return [];
  }
}

/** A rejected member changes nothing, so its error is delivered even after its deadline. */
const isExpired = ({ request, isRejected }: Member): boolean =>
  !isRejected && performance.now() >= request.deadline;

/** Executes a request in the open transaction, and rolls back what a rejected one has changed. Never rejects. */
const executeRequest = async (request: WriteRequest, session: GuardedSession): Promise<Outcome> => {
  try {
    throwIfExpired(request.deadline);
    const settle = await request.run(session);
    throwIfExpired(request.deadline);
    session.close();
    return { settle, isRejected: false };
  } catch (error) {
    session.rollback();
    return { settle: () => request.reject(error), isRejected: true };
  }
};
