import type { PoolClient } from 'pg';
import { deadlineExceeded } from '../../deadline.ts';
import { ConcurrencyConflict } from '../../retry.ts';
import type { OpenRepositories } from '../../sql/repositories.ts';
import type { Statement, TableShape } from '../../sql/session.ts';
import type { ConnectionPool } from '../connection/pool.ts';
import { isForAll } from '../errors.ts';
import type { Row } from '../pipeline/row-decoder.ts';
import type { ReadYourWritesTracker } from '../replicas/read-your-writes-tracker.ts';
import { runInTransaction } from '../run-in-transaction.ts';
import { Changes } from './changes.ts';
import { lastStatements } from './forms.ts';
import { Holds } from './holds.ts';
import type { Member } from './member.ts';
import type { Round } from './round.ts';
import { Rounds } from './rounds.ts';
import { Transaction } from './transaction.ts';

/** How long a group waits for units of work that send no statement, in milliseconds. A longer pause means they wait outside. */
const maxIdleMs = 20;

export interface Dependencies {
  readonly connections: ConnectionPool;
  readonly openRepositories: OpenRepositories;
  readonly readYourWrites: ReadYourWritesTracker;
}

/**
 * Group commit: units of work that share one transaction. Their statements share round trips, and their merged write sets go
 * in one round trip with the commit. A unit of work sees another's writes only if it waited for that one's lock.
 */
export class Group {
  readonly #dependencies: Dependencies;
  readonly #client: PoolClient;
  readonly #transaction: Transaction;
  #before: readonly Group[];
  readonly #members: readonly Member[];
  readonly #running: Set<Member>;
  readonly #ended: Ended = { done: [], failed: new Map() };
  readonly #holds = new Holds();
  readonly #decided = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  readonly #rounds: Rounds;
  #waitsForOthers = 0;
  #stallTimer: NodeJS.Timeout | undefined;

  /** @param before the groups that are committing. Their row locks are free once they have ended. */
  constructor(
    dependencies: Dependencies,
    client: PoolClient,
    members: readonly Member[],
    before: readonly Group[],
  ) {
    this.#dependencies = dependencies;
    this.#client = client;
    this.#members = members;
    this.#before = before;
    this.#running = new Set(members);
    const until = Math.max(...members.map((member) => member.until));
    this.#transaction = new Transaction(dependencies.connections, client, until);
    this.#rounds = new Rounds(this.#transaction, {
      quiet: () => this.#next(),
      failed: (error) => void this.#fail(error),
    });
  }

  begin(): void {
    for (const member of this.#members) void this.#run(member);
    this.#goOn();
  }

  /** Resolves when only the commit is left. */
  get decided(): Promise<void> {
    return this.#decided.promise;
  }

  /** Resolves when its row locks are free. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  async #run(member: Member): Promise<void> {
    const session = member.sessionOver({
      find: (of, key) => this.#ask((round) => round.find(of, key)),
      list: (statement, values) => this.#ask((round) => round.list(statement, values)),
      lock: (of, key) => this.#holds.take(member, of, key, () => this.#hold(of, key)),
    });
    try {
      member.result = await runInTransaction(
        session,
        this.#dependencies.openRepositories,
        member.work,
        isFinding,
      );
      if (!member.isSettled) this.#end(member, true);
    } catch (error) {
      if (!member.isSettled) this.#endFailed(member, error);
    }
  }

  #endFailed(member: Member, error: unknown): void {
    const elsewhere = member.elsewhere ?? (error instanceof ConcurrencyConflict ? 'singly' : undefined);
    if (elsewhere !== undefined) member.settle(elsewhere);
    else if (member.behind.size > 0) this.#ended.failed.set(member, error);
    else member.reject(error);
    this.#end(member, false);
  }

  #end(member: Member, isDone: boolean): void {
    this.#running.delete(member);
    if (isDone) this.#ended.done.push(member);
    this.#holds.free(member, isDone);
    this.#goOn();
  }

  #part(member: Member): void {
    member.settle('singly');
    this.#end(member, false);
  }

  #ask<T>(question: (round: Round) => Promise<T>): Promise<T> {
    clearTimeout(this.#stallTimer);
    return this.#rounds.ask(question);
  }

  async #hold(of: TableShape, key: string): Promise<Row | undefined> {
    const before = this.#before.filter((group) => group.#holds.has(of, key));
    if (before.length > 0) {
      this.#waitsForOthers += 1;
      this.#goOn();
      await Promise.all(before.map(({ over }) => over));
      this.#waitsForOthers -= 1;
    }
    return this.#ask((round) => round.hold(of, key));
  }

  #goOn(): void {
    clearTimeout(this.#stallTimer);
    this.#rounds.goOn();
  }

  #next(): void {
    if (this.#running.size === 0) void this.#finish();
    else if (this.#waitsForOthers === 0) this.#partWithSome();
  }

  /** A stall: no statement is pending, and some units of work have not ended. They wait for each other or outside the database. */
  #partWithSome(): void {
    const running = [...this.#running];
    const { waiting } = this.#holds;
    const idle = running.filter((member) => !waiting.has(member));
    const youngest = running.at(-1);
    if (idle.length === 0 && youngest !== undefined) this.#part(youngest);
    else {
      this.#stallTimer = setTimeout(() => {
        for (const member of idle) this.#part(member);
      }, maxIdleMs);
    }
  }

  async #finish(): Promise<void> {
    this.#rounds.end();
    const { members, changes, commitBy } = whoIsKept(this.#ended);
    try {
      const ending =
        members.length > 0
          ? this.#transaction.commit(lastStatements(changes), commitBy)
          : this.#transaction.undo();
      this.#decide();
      await ending;
    } catch (error) {
      await this.#fail(error);
      return;
    }
    this.#over.resolve();
    const users = members.map(({ user }) => user);
    const isRecorded =
      members.length === 0 || (await this.#dependencies.readYourWrites.recordAndRelease(this.#client, users));
    for (const member of members) member.settle({ result: member.result, isRecorded });
    for (const [member, error] of this.#ended.failed) if (!member.isSettled) member.reject(error);
  }

  /** The transaction is rolled back, unless the outcome of its commit is unknown. */
  async #fail(error: unknown): Promise<void> {
    for (const member of this.#members) {
      if (member.isSettled) continue;
      if (isForAll(error)) member.reject(error);
      else member.settle('singly');
    }
    for (const member of this.#members) this.#holds.free(member, false);
    this.#decide();
    await this.#transaction.undo(error);
    this.#over.resolve();
  }

  /** No lock is requested any more. The earlier groups are dropped, or every group would keep all before it in memory. */
  #decide(): void {
    this.#before = [];
    this.#decided.resolve();
  }
}

/** Reads without a lock may run in any order. */
const isFinding = ({ operation }: Statement): boolean => operation?.kind === 'find';

/** How the members of a group ended. */
export interface Ended {
  /** In the order in which they completed: each comes behind those whose writes it has read. */
  readonly done: Member[];
  /** The errors of members that have read pending writes of others. */
  readonly failed: Map<Member, unknown>;
}

/** The part of a group that is committed. */
interface Kept {
  readonly members: readonly Member[];
  readonly changes: Changes;
  /** The earliest `commitBy` of its members. */
  readonly commitBy: number;
}

/**
 * Selects, right before the commit, the members that can commit together. It settles all others, except members that failed
 * after they read a write that is committed: their errors stand once it is.
 */
const whoIsKept = ({ done, failed }: Ended): Kept => {
  const kept = new Set<Member>();
  const changes = new Changes();
  const now = performance.now();
  for (const member of done) {
    if (now >= member.commitBy) member.reject(deadlineExceeded());
    else if (member.behind.isSubsetOf(kept) && changes.addAll(member.changes)) kept.add(member);
    else member.settle('singly');
  }
  for (const member of failed.keys()) if (!member.behind.isSubsetOf(kept)) member.settle('singly');
  const members = [...kept];
  return { members, changes, commitBy: Math.min(...members.map(({ commitBy }) => commitBy)) };
};
