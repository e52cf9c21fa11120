import { ApplicationError } from '#application/errors.ts';
import { throwIfExpired } from '../../deadline.ts';
import { ConcurrencyConflict } from '../../retry.ts';
import type { Value } from '../../schema/entities/table.ts';
import type { SqlSession, Statement, TableShape } from '../../sql/session.ts';
import { keyOf, keyOfRow } from '../group-commit/changes.ts';
import { findAll } from '../group-commit/forms.ts';
import type { Row } from '../pipeline/row-decoder.ts';
import { createBatcher } from './batcher.ts';
import { createSingleFlight, type Query } from './single-flight.ts';

interface Lookup {
  readonly key: string;
  readonly values: readonly Value[];
  readonly until: number;
}

type RowsByKey = ReadonlyMap<string, Row>;

/**
 * Coalesces reads outside of units of work (DataLoader). Look-ups by key in one turn of the event loop are one statement for
 * each table, with the latest of their deadlines; equal lists are sent once. If a batch fails for another reason than an
 * unavailable database, each of its look-ups is sent alone.
 */
export const createDataLoader = (sessionUntil: (until: number) => SqlSession): Query => {
  const singleFlight = createSingleFlight(sessionUntil);
  const batchers = new Map<TableShape, (lookup: Lookup) => Promise<RowsByKey | undefined>>();

  const batcherOf = (table: TableShape, statement: Statement) => {
    const known = batchers.get(table);
    if (known !== undefined) return known;
    const batcher = createBatcher((lookups: readonly Lookup[]) => loadBatch(table, statement, lookups));
    batchers.set(table, batcher);
    return batcher;
  };

  /** @returns undefined when each look-up must be sent alone */
  const loadBatch = async (
    table: TableShape,
    statement: Statement,
    lookups: readonly Lookup[],
  ): Promise<RowsByKey | undefined> => {
    const byKey = (rows: readonly Row[]): RowsByKey =>
      new Map(rows.map((row) => [keyOfRow(table, row), row]));
    const session = sessionUntil(Math.max(...lookups.map(({ until }) => until)));
    const [only] = lookups;
    if (lookups.length === 1 && only) return byKey(await session.query<Row>(statement, only.values));
    const all = findAll(
      table,
      lookups.map(({ key }) => key),
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
    const { operation } = statement;
    if (operation?.kind === 'list') return singleFlight<R>(statement, values, until);
    if (operation?.kind !== 'find') return sessionUntil(until).query<R>(statement, values);
    const key = keyOf(values);
    const rows = await batcherOf(operation.table, statement)({ key, values, until });
    if (rows === undefined) return sessionUntil(until).query<R>(statement, values);
    const row = rows.get(key) as R | undefined;
    return row === undefined ? [] : [row];
  };
};
