import type { QuotaStore, RateLimit } from '#adapters/support/quota-store.ts';
import type { NumberEvents } from '#application/ports/events.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';

/** The verdicts of the sandbox provider, shared by all processes. Each call is a transaction of its own. */
export interface SandboxLedger {
  /** @throws ApplicationError 'unavailable' */
  find(id: string): Promise<string | undefined>;
  /**
   * Inserts a verdict durably, unless one exists.
   * @returns the verdict that was inserted first
   * @throws ApplicationError 'unavailable'
   */
  keep(id: string, verdict: string): Promise<string>;
}

/** The connection pool of this process: open connections, the idle ones among them, and requests that wait for one. */
interface PoolStats {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** An open store whose migrations have been applied. */
export interface Store {
  readonly unitOfWork: StoreUnitOfWork;
  /** Never used inside a unit of work, because it may wait for that to end. */
  readonly sandboxLedger: SandboxLedger;
  /** Undefined where no other process can share the store. */
  readonly quotas: ((limit: RateLimit) => QuotaStore) | undefined;
  /** Whether the database was empty before it was opened. */
  readonly isNew: boolean;
  /** Undefined where events have sequences when they are visible at all. */
  readonly numberEvents?: NumberEvents | undefined;
  /**
   * Resolves when each read sees what was committed before, also one with a context that may lag; at the latest when what lags serves no
   * reads any more, and soon after the signal is aborted. Undefined where no read lags.
   * @throws ApplicationError 'unavailable'
   */
  readonly untilReplayed?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /**
   * The time of the database, in milliseconds since 1970.
   * @throws ApplicationError 'unavailable'
   */
  now(): Promise<number>;
  /** Undefined where there is no connection pool. */
  readonly connections?: () => PoolStats;
  /**
   * Estimates how long a new request would wait for its turn or a connection, in milliseconds.
   * @returns 0 when the queue is empty, and for reads where they do not queue
   */
  queueDelay(purpose: 'read' | 'change'): number;
  /**
   * Compares the schema with the migrations of this version: those missing, and those this version does not know. A database that
   * responds may still have a problem, such as a full disk.
   * @throws ApplicationError 'unavailable'
   */
  schema(): Promise<Pick<Inspection, 'pending' | 'unknown' | 'problem'>>;
  close(): Promise<void>;
}

/** A store from outside Portico: what it must have. Portico has a default for everything else. */
export type CustomStore = Pick<Store, 'unitOfWork' | 'close'> & Partial<Store>;

/** Why a database that responds cannot be used. */
export interface Problem {
  /** What is wrong, in one line for the operator, behind the name of the database: `is damaged`. */
  readonly problem: string;
  /** What to do, as a sentence. */
  readonly remedy: string;
}

/** The state of a database. An inspection creates and changes nothing, and applies no migrations. */
export interface Inspection {
  /** The product and its version, such as `SQLite 3.50.4`. */
  readonly product: string;
  /** Whether the database exists. */
  readonly exists: boolean;
  /** The names of applied migrations. */
  readonly applied: readonly string[];
  /** The names of missing migrations. */
  readonly pending: readonly string[];
  /** Applied migrations that this version does not know: a later version of Portico has run. */
  readonly unknown: readonly string[];
  /** What is wrong with it although it responds, in one line for the operator. */
  readonly problem?: string;
  /** What to do about the problem, as a sentence; undefined where the file must be restored. */
  readonly remedy?: string;
  /** Whether the configured user may create tables; undefined for a file. */
  readonly mayCreate?: boolean;
  /** The time of the database, in milliseconds since 1970. */
  readonly now: number;
}
