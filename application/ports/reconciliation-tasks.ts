import type { Instant } from '#domain/instant.ts';
import type { ProviderObject } from './charge-lifecycle.ts';

/** A charge, refund or dispute at a provider, whose charge is to be retrieved and compared with what is recorded here. */
export interface ReconciliationTask extends ProviderObject {
  readonly provider: string;
  readonly createdAt: Instant;
  /** When it is retrieved next. */
  readonly dueAt: Instant;
  /** When it was last retrieved; null before the first attempt. */
  readonly lastAttemptAt: Instant | null;
  /** How many attempts were made since the last event, and since it was postponed. */
  readonly attempts: number;
  /** How many events have named it. */
  readonly events: number;
}

export interface ReconciliationTaskReader {
  find(provider: string, providerObject: ProviderObject): Promise<ReconciliationTask | undefined>;

  /** Lists what is due at a provider, the longest due first. */
  listDue(provider: string, now: Instant, limit: number): Promise<readonly ReconciliationTask[]>;

  /** The names of the providers that have tasks. */
  providers(): Promise<readonly string[]>;

  /** The time of the newest event that was read from the provider's own list, by its clock. */
  eventsReadUntil(provider: string): Promise<Instant | undefined>;
}

/**
 * The reconciliation tasks, one for each object of a provider. They survive restarts, because an event arrives once. References have 1 to 255
 * characters, and are compared and returned code point by code point.
 */
export interface ReconciliationTaskStore extends ReconciliationTaskReader {
  /** An event has named the object: its task is due at once, as if never attempted, and its events are counted. */
  enqueue(provider: string, providerObject: ProviderObject, at: Instant): Promise<void>;

  /** Adds a task for an object that is due at a time. Does nothing when it has a task. */
  schedule(provider: string, providerObject: ProviderObject, dueAt: Instant, at: Instant): Promise<void>;

  /**
   * Claims a task before the provider is asked, so that no other process asks at the same time.
   * @param dueAt when it is retrieved next, unless the task is removed before
   * @returns whether it was claimed: false when it is gone, or another process has claimed it or an event has named its object since
   *   it was read
   */
  claim(task: ReconciliationTask, now: Instant, dueAt: Instant): Promise<boolean>;

  /** Changes when a task is due, and resets its attempts, unless an event has named its object since it was read. */
  postpone(task: ReconciliationTask, dueAt: Instant): Promise<void>;

  /** Removes a task whose result is recorded in the same unit of work, unless an event has named its object since it was read. */
  remove(task: ReconciliationTask): Promise<void>;

  /** Saves how far the provider's own list of events was read. An earlier time than the saved one changes nothing. */
  saveEventsReadUntil(provider: string, until: Instant): Promise<void>;
}
