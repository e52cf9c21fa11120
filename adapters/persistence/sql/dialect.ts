import type {
  Compilable,
  Expression,
  InsertQueryBuilder,
  RawBuilder,
  SelectQueryBuilder,
  UpdateQueryBuilder,
} from 'kysely';
import type { Leases } from '#application/ports/repositories.ts';
import type { Instant } from '#domain/instant.ts';
import type { Row } from '../schema/entities/table.ts';
import type { Builder } from './builder.ts';
import type { EventsDialect } from './events/dialect.ts';
import type { SearchDialect } from './search/dialect.ts';
import type { SqlSession } from './session.ts';
import type { SqlTable } from './sql-table.ts';

type Rows = Record<string, Row>;
export type Select = SelectQueryBuilder<Rows, string, Row>;
export type Update = UpdateQueryBuilder<Rows, string, string, unknown>;
export type Insert = InsertQueryBuilder<Rows, string, unknown>;

/** Where the databases differ beyond what the statement builder knows. */
export interface Dialect {
  /** Locks the rows of a select until the transaction ends (pessimistic locking). */
  readonly forUpdate: (select: Select) => Select;
  /**
   * A `from` item for rows that are bound as one JSON array of objects, whose names are columns of the table. One statement
   * serves any number of rows.
   */
  readonly rowsFromJson: (
    table: string,
    columns: readonly string[],
    json: RawBuilder<unknown>,
  ) => RawBuilder<Row>;
  /** Whether a column has one of the values of a list, which is bound as one parameter. */
  readonly isAmong: (column: string, list: RawBuilder<unknown>) => RawBuilder<boolean>;
  /** Whether a column has one of the values that a subquery returns. */
  readonly isAmongRows: (column: string, rows: Expression<unknown>) => RawBuilder<boolean>;
  /** Replaces rows by given ones. */
  readonly updateFromRows: (update: UpdateFromRows) => Update;
  /** Makes an insert change no row, without an error, where its key exists. */
  readonly insertUnlessExists: (insert: Insert, key: string | readonly string[]) => Insert;
  /** Compiles the acquisition of a leader lease, once for each store. */
  readonly acquireLease: (builder: Builder) => AcquireLease;
  /**
   * Makes an update fail where the database can count its rows itself.
   * @param rows how many rows it must change
   */
  readonly requireRows: (builder: Builder, update: Update, rows: RawBuilder<number>) => Compilable;
  /** The operand of `limit`. */
  readonly limit: (rows: RawBuilder<number>) => RawBuilder<number>;
  /** Pages of up to this many rows get a generic plan. Undefined where the planner knows no difference. */
  readonly maxGenericPlanRows?: number;
  /** Where each statement blocks the process: lets it do other work. Undefined where the database has processes of its own. */
  readonly endOfTurn?: () => Promise<void>;
  readonly search: SearchDialect;
  readonly events: EventsDialect;
  /** Compiles the purge, once for each store. */
  readonly purgeIdempotencyKeys: (builder: Builder) => PurgeIdempotencyKeys;
  /** Inserts an idempotency key that is new. Undefined where the primary key alone makes sure of that. */
  readonly insertIdempotencyKey?: (builder: Builder, table: SqlTable) => Compilable;
}

/** An update of each row of a table that has the id of a given row, and the version before that row's own. */
interface UpdateFromRows {
  readonly builder: Builder;
  readonly table: string;
  /** What `rowsFromJson` makes. */
  readonly rows: RawBuilder<Row>;
  /** The columns to set. */
  readonly columns: readonly string[];
}

/** Acquires a leader lease in one session, as the port promises. */
export type AcquireLease = (session: SqlSession, ...lease: Parameters<Leases['acquire']>) => Promise<boolean>;

/** Removes idempotency keys created before an instant, as the port promises. @returns whether another call would remove more */
export type PurgeIdempotencyKeys = (session: SqlSession, createdBefore: Instant) => Promise<boolean>;
