import type { RequestContext, Work } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/user.ts';
import { noDeadline } from '../../deadline.ts';
import { ConcurrencyConflict } from '../../retry.ts';
import type { Value } from '../../schema/entities/table.ts';
import type { RowOperation, SqlSession, Statement, TableShape } from '../../sql/session.ts';
import type { Row } from '../pipeline/row-decoder.ts';
import { type Change, Changes, keyOf } from './changes.ts';
import { View } from './view.ts';

/** How a unit of work ends in its group. */
export type Outcome = Done | Elsewhere;

export interface Done<T = unknown> {
  readonly result: T;
  /** Whether the user's LSN is recorded; true without replicas. */
  readonly isRecorded: boolean;
}

/** The reads that a member sends to the database through its group. */
export interface GroupReads {
  find(of: TableShape, key: string): Promise<Row | undefined>;
  lock(of: TableShape, key: string): Promise<Row | undefined>;
  list(statement: Statement, values: readonly Value[]): Promise<readonly Row[]>;
}

/** One unit of work of a group. It keeps its write set until all members have ended. */
export class Member {
  readonly work: Work<unknown>;
  readonly user: UserId;
  readonly until: number;
  readonly commitBy: number;
  readonly outcome: Promise<Outcome>;
  readonly view = new View();
  readonly changes = new Changes();
  /** The members whose pending writes it has read. It can commit only together with them. */
  readonly behind = new Set<Member>();
  readonly enqueuedAt = performance.now();
  result: unknown;
  /** Set once it must leave the group, even if the work catches the error. */
  elsewhere: Elsewhere | undefined;
  isSettled = false;
  readonly #settle: { resolve(outcome: Outcome): void; reject(error: unknown): void };

  constructor(
    work: Work<unknown>,
    { actor: user, deadline: until = noDeadline }: RequestContext,
    commitBy: number,
  ) {
    this.work = work;
    this.user = user;
    this.until = until;
    this.commitBy = commitBy;
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.outcome = promise;
    this.#settle = { resolve, reject };
  }

  settle(outcome: Outcome): void {
    this.isSettled = true;
    this.#settle.resolve(outcome);
  }

  reject(error: unknown): void {
    this.isSettled = true;
    this.#settle.reject(error);
  }

  /** Takes a lock over from another member, and sees that member's pending writes from now on. */
  follow(before: Member): void {
    this.behind.add(before);
    this.view.inherit(before.view);
  }

  sessionOver(questions: GroupReads): SqlSession {
    return {
      query: <R>(statement: Statement, values: readonly Value[]) =>
        this.#noticing(async () => (await this.#query(questions, statement, values)) as R[]),
      execute: (statement, values) =>
        this.#noticing(async () => {
          if (statement.operation === undefined)
            throw new Apart(`${statement.name} needs a transaction of its own.`);
          this.#change(statement.operation, values);
          return 1;
        }),
    };
  }

  /** Notes an eviction, because the work may catch the error. */
  async #noticing<T>(act: () => Promise<T>): Promise<T> {
    try {
      if (this.isSettled) throw new Apart('The unit of work runs elsewhere.');
      return await act();
    } catch (error) {
      if (error instanceof Apart) this.elsewhere = error.elsewhere;
      throw error;
    }
  }

  async #query(
    questions: GroupReads,
    statement: Statement,
    values: readonly Value[],
  ): Promise<readonly Row[]> {
    const { operation, name } = statement;
    if (operation?.kind === 'list' && !this.view.hasChanged(operation.table))
      return questions.list(statement, values);
    if (operation?.kind !== 'find' && operation?.kind !== 'lock')
      throw new Apart(`${name} needs a transaction of its own.`);
    const key = keyOf(values);
    const isKnown = operation.kind === 'find' && this.view.has(operation.table, key);
    const row = isKnown
      ? this.view.get(operation.table, key)
      : await questions[operation.kind](operation.table, key);
    return row === undefined ? [] : [row];
  }

  #change({ kind, table: to }: RowOperation, values: readonly Value[]): void {
    if (kind === 'remove') this.#keep(to, keyOf(values), undefined, { kind });
    else if (kind === 'insert') {
      const row = rowOf(to.columns, values);
      this.#keep(to, keyOf(values.slice(0, to.keyLength)), row, { kind, row });
    } else if (kind === 'update') this.#replace(to, values);
  }

  #replace(to: TableShape, values: readonly Value[]): void {
    const { keyLength, columns, hasVersions } = to;
    const changing = columns.length - keyLength;
    const keyValues = values.slice(changing, columns.length);
    const key = keyOf(keyValues);
    const seen = hasVersions ? (values.at(-1) ?? null) : null;
    const row = rowOf(columns, [...keyValues, ...values.slice(0, changing)]);
    if (this.view.has(to, key)) {
      const before = this.view.get(to, key);
      const { version } = before ?? {};
      if (before === undefined || (hasVersions && version !== seen))
        throw new ConcurrencyConflict(`A row of ${to.name} has changed.`);
    }
    this.#keep(to, key, row, { kind: 'update', row, seen });
  }

  #keep(to: TableShape, key: string, row: Row | undefined, change: Change): void {
    if (!this.changes.add(to, key, change)) throw new Apart(`The writes to ${to.name} cannot be merged.`);
    this.view.change(to, key, row);
  }
}

const rowOf = (columns: readonly string[], values: readonly Value[]): Row =>
  Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]));

/** Where a unit of work runs that its group evicts: in a later group (`again`), or in a transaction of its own (`singly`). */
export type Elsewhere = 'again' | 'singly';

/** Evicts a unit of work from its group. It never leaves the adapter: the work runs elsewhere, and the client gets that result. */
export class Apart extends Error {
  readonly elsewhere: Elsewhere;

  constructor(reason: string, elsewhere: Elsewhere = 'singly') {
    super(reason);
    this.name = 'Apart';
    this.elsewhere = elsewhere;
  }
}
