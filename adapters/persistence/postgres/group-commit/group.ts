import type { PoolClient } from 'pg';
import { ConcurrencyConflict } from '../../retry.ts';
import type { OpenRepositories } from '../../sql/repositories.ts';
import type { Statement, TableShape } from '../../sql/session.ts';
import type { Connections } from '../connection/pool.ts';
import type { Row } from '../pipeline/row-decoder.ts';
import type { Notes } from '../replicas/lsn-notes.ts';
import { conduct } from '../run-in-transaction.ts';
import { Holds } from './holds.ts';
import { isForAll } from './is-for-all.ts';
import { lastStatements } from './last-statements.ts';
import type { Member } from './member.ts';
import type { Round } from './round.ts';
import { Rounds } from './rounds.ts';
import { Transaction } from './transaction.ts';
import { type Ended, whoIsKept } from './who-is-kept.ts';

/** How long those are waited for who ask for nothing, in milliseconds: what units of work wait for is here. */
const patience = 20;

export interface Means {
  readonly connections: Connections;
  readonly repositoriesOver: OpenRepositories;
  readonly notes: Notes;
}

/**
 * Units of work that are one transaction: what they ask for at once goes as one, what they change is sent when all of them
 * are done, together with the commit. None sees what another changes, unless it had to wait for it.
 */
export class Group {
  readonly #means: Means;
  readonly #client: PoolClient;
  readonly #transaction: Transaction;
  #before: readonly Group[];
  readonly #members: readonly Member[];
  readonly #running: Set<Member>;
  readonly #ended: Ended = { done: [], refused: new Map() };
  readonly #holds = new Holds();
  readonly #decided = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  readonly #rounds: Rounds;
  #waitsForOthers = 0;
  #impatience: NodeJS.Timeout | undefined;

  /** @param before groups that are being committed, whose rows are free once they are over */
  constructor(means: Means, client: PoolClient, members: readonly Member[], before: readonly Group[]) {
    this.#means = means;
    this.#client = client;
    this.#members = members;
    this.#before = before;
    this.#running = new Set(members);
    const until = Math.max(...members.map((member) => member.until));
    this.#transaction = new Transaction(means.connections, client, until);
    this.#rounds = new Rounds(this.#transaction, {
      quiet: () => this.#next(),
      failed: (error) => void this.#fail(error),
    });
  }

  begin(): void {
    for (const member of this.#members) void this.#run(member);
    this.#goOn();
  }

  /** Resolves when all that is left is to commit. */
  get decided(): Promise<void> {
    return this.#decided.promise;
  }

  /** Resolves when its rows are free. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  async #run(member: Member): Promise<void> {
    const session = member.sessionOver({
      find: (of, key) => this.#ask((round) => round.find(of, key)),
      list: (statement, values) => this.#ask((round) => round.list(statement, values)),
      hold: (of, key) => this.#holds.take(member, of, key, () => this.#hold(of, key)),
    });
    try {
      member.result = await conduct(session, this.#means.repositoriesOver, member.work, isFinding);
      if (!member.isSettled) this.#end(member, true);
    } catch (error) {
      if (!member.isSettled) this.#endRefused(member, error);
    }
  }

  #endRefused(member: Member, error: unknown): void {
    const elsewhere = member.elsewhere ?? (error instanceof ConcurrencyConflict ? 'singly' : undefined);
    if (elsewhere !== undefined) member.settle(elsewhere);
    else if (member.behind.size > 0) this.#ended.refused.set(member, error);
    else member.refuse(error);
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
    clearTimeout(this.#impatience);
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
    clearTimeout(this.#impatience);
    this.#rounds.goOn();
  }

  #next(): void {
    if (this.#running.size === 0) void this.#finish();
    else if (this.#waitsForOthers === 0) this.#partWithSome();
  }

  /** Nobody asks for anything, and some are not done: they wait for each other, or for something that is not here. */
  #partWithSome(): void {
    const running = [...this.#running];
    const { waiting } = this.#holds;
    const idle = running.filter((member) => !waiting.has(member));
    const youngest = running.at(-1);
    if (idle.length === 0 && youngest !== undefined) this.#part(youngest);
    else {
      this.#impatience = setTimeout(() => {
        for (const member of idle) this.#part(member);
      }, patience);
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
    const isNoted = members.length === 0 || (await this.#means.notes.take(this.#client, users));
    for (const member of members) member.settle({ result: member.result, isNoted });
    for (const [member, error] of this.#ended.refused) if (!member.isSettled) member.refuse(error);
  }

  /** Nothing of it is kept, unless nobody knows. */
  async #fail(error: unknown): Promise<void> {
    for (const member of this.#members) {
      if (member.isSettled) continue;
      if (isForAll(error)) member.refuse(error);
      else member.settle('singly');
    }
    for (const member of this.#members) this.#holds.free(member, false);
    this.#decide();
    await this.#transaction.undo(error);
    this.#over.resolve();
  }

  /** Nobody asks for a hold any more. Those before it must not be known for as long as others come behind. */
  #decide(): void {
    this.#before = [];
    this.#decided.resolve();
  }
}

/** What is found is not held, so it does not matter which is found first. */
const isFinding = ({ operation: deed }: Statement): boolean => deed?.kind === 'find';
