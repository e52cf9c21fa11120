import type { Instant } from '#domain/instant.ts';
import type { SqlSession } from './session.ts';

/** Where the two databases do not speak the same SQL. */
export interface Dialect {
  /** Behind a `select`: until the transaction ends, nobody else changes or removes the row. */
  readonly forUpdate: string;
  /**
   * What stands in a `from` for rows that are given as one value, `$1`: a JSON list of objects, each named by columns of
   * the table. One statement does for any number of rows.
   */
  readonly rowsFromJson: (table: string, columns: readonly string[]) => string;
  /** Behind `limit`, for a place like `$1`. */
  readonly limit: (place: string) => string;
  /** Pages of up to so many rows are planned once, where that can be done. Without it, all of them are asked for in one way. */
  readonly maxGenericPlanRows?: number;
  readonly purgeIdempotencyKeys: PurgeIdempotencyKeys;
}

/** Removes old idempotency keys, as the port says. @returns whether another call would remove more */
export type PurgeIdempotencyKeys = (session: SqlSession, createdBefore: Instant) => Promise<boolean>;
