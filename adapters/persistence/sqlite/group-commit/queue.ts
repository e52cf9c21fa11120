import { setTimeout as pause } from 'node:timers/promises';
import { noDeadline } from '../../deadline.ts';
import { unavailable } from '../../sql/constraint-errors.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { Connection } from '../connection.ts';
import { explain, isBusy } from '../errors.ts';
import type { FileIdentityGuard } from '../files/file-identity.ts';
import { Group } from './batch.ts';
import type { Request } from './write-request.ts';

/** How long a request waits for its turn among other processes, in milliseconds, from when it was made. */
const patience = 3_000;

interface Wishes {
  readonly until?: number;
  readonly isAlone?: boolean;
  readonly isDurable?: boolean;
}

/**
 * Whatever is to be done in a transaction of one connection. What is ready in the same turn of the event loop is
 * committed together, for it is the commit that takes the time.
 */
export class Transactions {
  readonly #connection: Connection;
  readonly #files: FileIdentityGuard;
  readonly #queue: Request[] = [];
  #unanswered = 0;
  #served = 0;
  #whenAllAnswered: (() => void) | undefined;
  #isAtWork = false;
  #waitsForDisk = true;
  #notice: (() => void) | undefined;

  /** @param connection one that waits for the disk */
  constructor(connection: Connection, files: FileIdentityGuard) {
    this.#connection = connection;
    this.#files = files;
  }

  /** How many have not been answered, and how many have. */
  get turns(): { readonly waiting: number; readonly served: number } {
    return { waiting: this.#unanswered, served: this.#served };
  }

  /**
   * Resolves when it has been committed. When it fails all of it is undone, and nothing else.
   * @throws what the task throws; ApplicationError 'unavailable'; ConcurrencyConflict
   */
  run<T>(task: (session: SqlSession) => Promise<T>, wishes: Wishes = {}): Promise<T> {
    const { until = noDeadline, isAlone = false, isDurable = true } = wishes;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const answered = (): void => {
      this.#unanswered -= 1;
      this.#served += 1;
      if (this.#unanswered === 0) this.#whenAllAnswered?.();
    };
    this.#unanswered += 1;
    this.#ask({
      run: async (session) => {
        const result = await task(session);
        return () => {
          answered();
          resolve(result);
        };
      },
      refuse: (error) => {
        answered();
        reject(error);
      },
      until,
      patience: Math.min(until, performance.now() + patience),
      isAlone,
      isDurable,
    });
    return promise;
  }

  /** Resolves when everything that was asked for has been answered. */
  async end(): Promise<void> {
    if (this.#unanswered === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenAllAnswered = resolve;
    });
  }

  #ask(request: Request): void {
    this.#queue.push(request);
    if (this.#isAtWork) this.#notice?.();
    else void this.#work();
  }

  async #work(): Promise<void> {
    this.#isAtWork = true;
    for (let first = this.#queue[0]; first !== undefined; first = this.#queue[0]) {
      try {
        this.#waitForDisk(first.isDurable);
        await this.#begin(first.patience);
      } catch (error) {
        this.#queue.shift();
        first.refuse(error);
        continue;
      }
      const group = new Group(
        this.#connection,
        (request) => this.#ask({ ...request, isAlone: true }),
        () => this.#files.checkNow(),
      );
      await (first.isAlone ? this.#serveFirst(group) : this.#serveTogether(group));
      this.#end(group);
    }
    this.#isAtWork = false;
  }

  /** It has to be said outside of a transaction. */
  #waitForDisk(does: boolean): void {
    if (does !== this.#waitsForDisk) this.#connection.waitForDisk(does);
    this.#waitsForDisk = does;
  }

  /** Waits for other processes outside the driver, so that everything else goes on meanwhile. */
  async #begin(deadline: number): Promise<void> {
    for (;;) {
      this.#files.check();
      try {
        return this.#connection.begin();
      } catch (error) {
        if (!isBusy(error)) throw explain(error);
        if (performance.now() > deadline) throw unavailable(error);
      }
      await pause(1 + Math.random() * 5);
    }
  }

  async #serveFirst(group: Group): Promise<void> {
    const first = this.#queue.shift();
    if (first !== undefined) await group.take(first);
  }

  /**
   * Serves whoever is there, and whoever comes, until there is no more room, or this turn of the event loop ends.
   */
  async #serveTogether(group: Group): Promise<void> {
    let isOver = false;
    const endOfTurn = setImmediate(() => {
      isOver = true;
      group.cutOff();
      this.#notice?.();
    });
    while (!isOver && !group.isFull) {
      const next = this.#queue[0];
      if (next !== undefined && !next.isAlone && group.hasRoom) {
        this.#queue.shift();
        await group.take(next);
      } else {
        await new Promise<void>((resolve) => {
          this.#notice = resolve;
        });
      }
    }
    clearImmediate(endOfTurn);
  }

  /** Whoever is to be run again comes first. */
  #end(group: Group): void {
    this.#queue.unshift(...group.end());
  }
}
