import type { Instant } from '#domain/instant.ts';
import type { Place } from './charge-lifecycle.ts';

/** A place at a provider that is to be looked at. */
export interface LookUp extends Place {
  readonly provider: string;
  readonly createdAt: Instant;
  /** When it is looked at next. */
  readonly dueAt: Instant;
  /** When the provider was last asked. */
  readonly lookedUpAt: Instant | null;
  /** How often it was looked at since the last event, and since it was postponed. */
  readonly attempts: number;
  /** How many events have named it. */
  readonly events: number;
}

export interface LookUpReader {
  find(provider: string, place: Place): Promise<LookUp | undefined>;

  /** Lists what is due at a provider, the longest due first. */
  due(provider: string, now: Instant, limit: number): Promise<readonly LookUp[]>;

  /** The names of the providers that have look-ups. */
  providers(): Promise<readonly string[]>;

  /** The time of the newest event that was read from the provider's own list, by its clock. */
  newsReadUntil(provider: string): Promise<Instant | undefined>;
}

/**
 * Where to look at providers, one look-up for each place. It survives restarts, because events are told once. References have 1 to 255
 * characters, and are compared and returned code point by code point.
 */
export interface LookUpStore extends LookUpReader {
  /** An event has named the place: it is due at once, as if it had never been looked at, and its events are counted. */
  note(provider: string, place: Place, at: Instant): Promise<void>;

  /** Looks at a place from a time on. Does nothing when it is looked at already. */
  follow(provider: string, place: Place, dueAt: Instant, at: Instant): Promise<void>;

  /**
   * Takes a look-up before the provider is asked, so that no other process asks at the same time.
   * @param dueAt when it is looked at next, unless it is removed before
   * @returns whether it was taken: false when it is gone, or another process has taken it or an event has named its place since
   *   it was read
   */
  take(lookUp: LookUp, now: Instant, dueAt: Instant): Promise<boolean>;

  /** Changes when a look-up is due, and counts its attempts anew, unless an event has named its place since it was read. */
  postpone(lookUp: LookUp, dueAt: Instant): Promise<void>;

  /** Removes a look-up whose result is recorded in the same unit of work, unless an event has named its place since it was read. */
  remove(lookUp: LookUp): Promise<void>;

  /** Notes how far the provider's own list of events was read. An earlier time than the noted one changes nothing. */
  readNewsUntil(provider: string, until: Instant): Promise<void>;
}
