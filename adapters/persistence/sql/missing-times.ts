import {
  type MissingTime,
  type MissingTimes,
  type TimedCollection,
  timeFields,
} from '#application/ports/missing-times.ts';
import { tables } from '../schema/entities/all.ts';
import { type Builder, compile, parameter } from './builder.ts';
import type { TableSession } from './session.ts';
import type { CompiledStatement } from './sql-table.ts';

const columns: Readonly<Record<TimedCollection, string>> = {
  orders: 'paid_at',
  payments: 'succeeded_at',
  captures: 'succeeded_at',
  refunds: 'succeeded_at',
  disputes: 'closed_at',
};

type Compiled = Readonly<Record<TimedCollection, CompiledStatement>>;

export const compileMissingTimes = (builder: Builder): Compiled =>
  // `fromEntries` does not know that each collection is there.
  Object.fromEntries(
    (Object.keys(timeFields) as TimedCollection[]).map((collection) => {
      const { name } = tables[collection];
      const column = columns[collection];
      const fill = builder
        .updateTable(name)
        .set({ [column]: parameter(column) })
        .where('id', '=', parameter('id'))
        .where(column, 'is', null);
      return [collection, compile(`${name}_fill_${column}`, fill)];
    }),
  ) as unknown as Compiled;

/** Fills in times over one session, each by a statement with its own condition. */
export class SqlMissingTimes implements MissingTimes {
  readonly #session: TableSession;
  readonly #compiled: Compiled;

  constructor(session: TableSession, compiled: Compiled) {
    this.#session = session;
    this.#compiled = compiled;
  }

  async fill(collection: TimedCollection, times: readonly MissingTime[]): Promise<void> {
    // In the order in which others lock rows.
    const inOrder = times.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    for (const { id, at } of inOrder) await this.#session.execute(this.#compiled[collection], [at, id]);
  }
}
