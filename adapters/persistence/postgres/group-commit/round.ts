import type { Value } from '../../schema/entities/table.ts';
import type { BoundStatement, Statement, TableShape } from '../../sql/session.ts';
import type { StatementResult } from '../pipeline/pipeline.ts';
import type { Row } from '../pipeline/row-decoder.ts';
import { keyOfRow } from './changes.ts';
import { findAll, holdAll } from './forms.ts';
import { Apart } from './member.ts';

interface PendingRead<T> {
  readonly resolve: (result: T) => void;
  readonly reject: (error: unknown) => void;
}

type PendingReads = Map<string, PendingRead<Row | undefined>[]>;

/** One round trip of a group. Reads and locks of one table share a statement. */
export class Round {
  readonly #finds = new Map<TableShape, PendingReads>();
  readonly #holds = new Map<TableShape, PendingReads>();
  readonly #lists: (PendingRead<readonly Row[]> & { readonly bound: BoundStatement })[] = [];
  isEmpty = true;

  find(of: TableShape, key: string): Promise<Row | undefined> {
    return this.#join(this.#finds, of, key);
  }

  /** @throws Apart when a transaction outside the group has locked the row */
  hold(of: TableShape, key: string): Promise<Row | undefined> {
    return this.#join(this.#holds, of, key);
  }

  list(statement: Statement, values: readonly Value[]): Promise<readonly Row[]> {
    this.isEmpty = false;
    const { promise, resolve, reject } = Promise.withResolvers<readonly Row[]>();
    this.#lists.push({ bound: { statement, values }, resolve, reject });
    return promise;
  }

  get statements(): readonly BoundStatement[] {
    const statements: BoundStatement[] = [];
    for (const [of, reads] of this.#holds) statements.push(...holdAll(of, [...reads.keys()]));
    for (const [of, reads] of this.#finds) statements.push(findAll(of, [...reads.keys()]));
    for (const list of this.#lists) statements.push(list.bound);
    return statements;
  }

  /** Resolves the pending reads. @param results of `statements`, in their order */
  resolve(results: readonly StatementResult[]): void {
    let place = 0;
    const next = (): readonly Row[] => {
      place += 1;
      return results[place - 1]?.rows ?? [];
    };
    for (const [of, reads] of this.#holds) {
      const held = byKey(of, next());
      const there = byKey(of, next());
      for (const [key, waiting] of reads) {
        const row = held.get(key);
        const isElsewhere = row === undefined && there.has(key);
        for (const { resolve, reject } of waiting) {
          if (isElsewhere) reject(new Apart('Another transaction has locked the row.', 'again'));
          else resolve(row);
        }
      }
    }
    for (const [of, reads] of this.#finds) {
      const found = byKey(of, next());
      for (const [key, waiting] of reads) for (const { resolve } of waiting) resolve(found.get(key));
    }
    for (const { resolve } of this.#lists) resolve(next());
  }

  reject(error: unknown): void {
    for (const reads of [...this.#holds.values(), ...this.#finds.values()]) {
      for (const { reject } of [...reads.values()].flat()) reject(error);
    }
    for (const { reject } of this.#lists) reject(error);
  }

  #join(all: Map<TableShape, PendingReads>, of: TableShape, key: string): Promise<Row | undefined> {
    this.isEmpty = false;
    const reads: PendingReads = all.get(of) ?? new Map();
    all.set(of, reads);
    const waiting = reads.get(key) ?? [];
    reads.set(key, waiting);
    const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>();
    waiting.push({ resolve, reject });
    return promise;
  }
}

const byKey = (of: TableShape, rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [keyOfRow(of, row), row]));
