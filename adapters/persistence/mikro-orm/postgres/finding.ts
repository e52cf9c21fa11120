import { ApplicationError } from '#application/errors.ts';
import { RaceLost } from '../../race-lost.ts';
import { requireTime } from '../../time.ts';
import type { Session, Statement } from '../session.ts';
import type { Value } from '../tables/table.ts';
import { gather } from './gather.ts';
import { listOf } from './list-of.ts';

/** @param until when no answer is waited for any more, by `performance.now()` */
export type Ask = <Row>(
  statement: Statement,
  values: readonly Value[],
  until: number,
) => Promise<readonly Row[]>;

interface Question {
  readonly id: string;
  readonly until: number;
}

interface Found {
  readonly id: string;
}

/** The rows by their ids. */
type Answer = ReadonlyMap<string, Found>;

/**
 * Asks outside of units of work. What is asked for by id in the same turn of the event loop is one statement for each
 * collection; it is waited for as long as the last of those who asked have time. Where it fails for any reason but that the
 * server is away, each is asked for alone.
 */
export const finding = (sessionUntil: (until: number) => Session): Ask => {
  const gathered = new Map<Statement, (question: Question) => Promise<Answer | undefined>>();

  const gatheredBy = (statement: Statement, forMany: Statement) => {
    const known = gathered.get(statement);
    if (known !== undefined) return known;
    const made = gather((questions: readonly Question[]) => together(statement, forMany, questions));
    gathered.set(statement, made);
    return made;
  };

  /** @returns undefined when each had better be asked for alone */
  const together = async (
    statement: Statement,
    forMany: Statement,
    questions: readonly Question[],
  ): Promise<Answer | undefined> => {
    const ids = questions.map(({ id }) => id);
    const session = sessionUntil(Math.max(...questions.map(({ until }) => until)));
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) return byId(await session.query<Found>(statement, [only]));
    try {
      return byId(await session.query<Found>(forMany, [listOf(ids)]));
    } catch (error) {
      if (error instanceof ApplicationError || error instanceof RaceLost) throw error;
      return undefined;
    }
  };

  return async <Row>(statement: Statement, values: readonly Value[], until: number) => {
    requireTime(until);
    const [id] = values;
    if (statement.forMany === undefined || typeof id !== 'string') {
      return sessionUntil(until).query<Row>(statement, values);
    }
    const answer = await gatheredBy(statement, statement.forMany)({ id, until });
    if (answer === undefined) return sessionUntil(until).query<Row>(statement, values);
    const row = answer.get(id) as Row | undefined;
    return row === undefined ? [] : [row];
  };
};

const byId = (rows: readonly Found[]): Answer => new Map(rows.map((row) => [row.id, row]));
