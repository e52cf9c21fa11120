import type { Instant } from '#domain/instant.ts';
import type { SqlSession } from './session.ts';

/** Where the SQL of the databases differs. */
export interface Dialect {
  /** Appended to a `select`: locks its rows until the transaction ends (pessimistic locking). */
  readonly forUpdate: string;
  /**
   * A `from` item for rows that are bound as one JSON array of objects, `$1`, each named by columns of the table. One statement
   * serves any number of rows.
   */
  readonly rowsFromJson: (table: string, columns: readonly string[]) => string;
  /** The operand of `limit` for a parameter such as `$1`. */
  readonly limit: (parameter: string) => string;
  /** Pages of up to this many rows get a generic plan. Undefined where the planner knows no difference. */
  readonly maxGenericPlanRows?: number;
  readonly purgeIdempotencyKeys: PurgeIdempotencyKeys;
}

/** Removes idempotency keys created before an instant, as the port promises. @returns whether another call would remove more */
export type PurgeIdempotencyKeys = (session: SqlSession, createdBefore: Instant) => Promise<boolean>;
