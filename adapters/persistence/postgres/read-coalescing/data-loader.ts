import { ApplicationError } from '#application/errors.ts';
import { throwIfExpired } from '../../deadline.ts';
import { ConcurrencyConflict } from '../../retry.ts';
import type { Value } from '../../schema/entities/table.ts';
import type { SqlSession, Statement, TableShape } from '../../sql/session.ts';
import { findAll } from '../group-commit/forms.ts';
import { keyOf, keyOfRow } from '../group-commit/keys.ts';
import type { Row } from '../pipeline/row-decoder.ts';
import type { Ask } from './ask.ts';
import { gather } from './batcher.ts';
import { sharing } from './single-flight.ts';

interface Question {
  readonly key: string;
  readonly values: readonly Value[];
  readonly until: number;
}

/** The rows by their keys. */
type Answer = ReadonlyMap<string, Row>;

/**
 * Asks outside of units of work. What is asked for by its key in the same turn of the event loop is one statement for each
 * collection; it is waited for as long as the last of those who asked have time. Where it fails for any reason but that the
 * server is away, each is asked for alone. A list is asked for once for all who want the same.
 */
export const finding = (sessionUntil: (until: number) => SqlSession): Ask => {
  const share = sharing(sessionUntil);
  const gathered = new Map<TableShape, (question: Question) => Promise<Answer | undefined>>();

  const gatheredOf = (of: TableShape, statement: Statement) => {
    const known = gathered.get(of);
    if (known !== undefined) return known;
    const made = gather((questions: readonly Question[]) => together(of, statement, questions));
    gathered.set(of, made);
    return made;
  };

  /** @returns undefined when each had better be asked for alone */
  const together = async (
    of: TableShape,
    statement: Statement,
    questions: readonly Question[],
  ): Promise<Answer | undefined> => {
    const byKey = (rows: readonly Row[]): Answer => new Map(rows.map((row) => [keyOfRow(of, row), row]));
    const session = sessionUntil(Math.max(...questions.map(({ until }) => until)));
    const [only] = questions;
    if (questions.length === 1 && only) return byKey(await session.query<Row>(statement, only.values));
    const all = findAll(
      of,
      questions.map(({ key }) => key),
    );
    try {
      return byKey(await session.query<Row>(all.statement, all.values));
    } catch (error) {
      if (error instanceof ApplicationError || error instanceof ConcurrencyConflict) throw error;
      return undefined;
    }
  };

  return async <R>(statement: Statement, values: readonly Value[], until: number) => {
    throwIfExpired(until);
    const { operation: deed } = statement;
    if (deed?.kind === 'list') return share<R>(statement, values, until);
    if (deed?.kind !== 'find') return sessionUntil(until).query<R>(statement, values);
    const key = keyOf(values);
    const answer = await gatheredOf(deed.table, statement)({ key, values, until });
    if (answer === undefined) return sessionUntil(until).query<R>(statement, values);
    const row = answer.get(key) as R | undefined;
    return row === undefined ? [] : [row];
  };
};
