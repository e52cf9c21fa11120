import type { RawBuilder } from 'kysely';
import type { NewEventRow } from '../../schema/entities/event.ts';
import type { Builder } from '../builder.ts';
import type { TableSession } from '../session.ts';
import type { SqlTable, TableDescription } from '../sql-table.ts';

/** Where the databases differ in the feed of events. */
export interface EventsDialect {
  /**
   * What follows the columns of a select: events behind the parameter `after` whose column has a value, in ascending order of
   * sequence. It is read from the index of the column and the sequence, whatever the planner knows of the values.
   * @param value a parameter
   * @param and a further condition
   */
  readonly fromIndex: (
    column: EventColumn,
    value: RawBuilder<unknown>,
    and?: RawBuilder<boolean>,
  ) => RawBuilder<unknown>;
  /** What a page is sorted by, where it was read by `fromIndex`. */
  readonly indexOrder: (column: EventColumn) => RawBuilder<unknown>;
  /** The highest sequence that was ever given, in a select from the row of the feed. */
  readonly lastSequence: RawBuilder<number>;
  /** Compiles the statements that append, once for each store. */
  readonly append: (builder: Builder, compileTable: CompileTable) => AppendEvents;
}

/** The columns that the feed has an index of. */
export type EventColumn = 'type' | 'order_id' | 'user_id';

/** Appends events in one session, as the port promises. @param rows at least one */
type AppendEvents = (session: TableSession, rows: readonly NewEventRow[]) => Promise<void>;

/** Compiles the statements of a table for one dialect. */
type CompileTable = (description: TableDescription) => SqlTable;
