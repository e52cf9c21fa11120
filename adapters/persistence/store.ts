import type { Limit, Quotas } from '#adapters/support/quota-store.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';

/** What the sandbox has said for good, for every process that shares the store. Each call is a transaction of its own. */
export interface SandboxLedger {
  /** @throws ApplicationError 'unavailable' */
  find(id: string): Promise<string | undefined>;
  /**
   * Writes a verdict down, durably, unless there is one already.
   * @returns the one that stands
   * @throws ApplicationError 'unavailable'
   */
  keep(id: string, verdict: string): Promise<string>;
}

/** How many connections to the store this process has, how many of them idle, and how many wait for one. */
interface Connections {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

/** An open store, its tables up to date. */
export interface Store {
  readonly unitOfWork: UnitOfWork;
  /**
   * The books of the sandbox, which is somebody outside: never used inside a unit of work, for it waits until that has
   * ended.
   */
  readonly sandboxLedger: SandboxLedger;
  /** Undefined where no other process can share the store. */
  readonly quotas: ((limit: Limit) => Quotas) | undefined;
  /** Whether it was made by this opening. */
  readonly isNew: boolean;
  /**
   * The store's own time, in milliseconds since 1970.
   * @throws ApplicationError 'unavailable' when it cannot be reached
   */
  now(): Promise<number>;
  /** Undefined where connections are not shared out. */
  readonly connections?: () => Connections;
  /**
   * How long whoever comes now would wait for a turn or a connection, in milliseconds; 0 when nobody waits. Where those who
   * only read wait for nobody, it is 0 for them.
   */
  queueDelay(purpose: 'read' | 'change'): number;
  /**
   * Which changes of the schema are missing now, and which have been made that are not known here.
   * @throws ApplicationError 'unavailable' when it cannot be reached
   */
  schema(): Promise<Pick<Inspection, 'pending' | 'unknown'>>;
  close(): Promise<void>;
}

/** A store as it is: to look at it makes nothing, changes nothing and brings nothing up to date. */
export interface Inspection {
  /** What keeps it, and in which version: `SQLite 3.50.4`. */
  readonly product: string;
  /** Whether there is anything yet. */
  readonly exists: boolean;
  /** The changes of the schema, by name: those that have been made, and those that have not. */
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Made, but not known here: a later version of Portico has been at work. */
  readonly unknown: readonly string[];
  /** Whether whoever the settings name may make tables; undefined where that is a matter of files. */
  readonly mayCreate?: boolean;
  /** The store's own time, in milliseconds since 1970. */
  readonly now: number;
}
