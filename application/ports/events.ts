import type { Event, EventType, NewEvent } from '#domain/event.ts';
import type { EventId } from '#domain/event-id.ts';
import type { Instant } from '#domain/instant.ts';
import type { OrderId } from '#domain/order.ts';
import type { UserId } from '#domain/user.ts';
import type { Page } from './page.ts';

/** The state of the feed. */
export interface Feed {
  /** A text of up to 36 characters. A store that was restored from a backup has another one, because its sequences may differ. */
  readonly id: string;
  /** The sequence of the oldest event that is kept. One more than `last` where none is. */
  readonly first: number;
  /** The highest sequence that was ever visible; 0 before the first event. */
  readonly last: number;
}

/**
 * Sequencer: gives the events of committed units of work their sequences, a batch in each call. Several processes may call it at the
 * same time.
 * @returns how many events it has numbered, and whether there may be more
 * @throws ApplicationError 'unavailable'
 */
export type NumberEvents = () => Promise<{ readonly numbered: number; readonly hasMore: boolean }>;

/** Matches events of one order, and of any of the types. Without a value it matches all. */
export interface EventFilter {
  readonly orderId?: OrderId;
  /** At least one. */
  readonly types?: readonly EventType[];
}

export interface EventPageRequest {
  /** The sequence that the page begins after; 0 for the begin. */
  readonly after: number;
  /** The maximum number of events, at least 1. */
  readonly limit: number;
}

/**
 * The feed of events.
 *
 * - **Atomic.** An event exists exactly when the unit of work that appended it has committed.
 * - **Dense and final.** Sequences count from 1 and leave none out, for as long as the store lives, even when all events are
 *   deleted. Once a sequence was visible, everything before it has been visible.
 * - **Causal.** An event that was appended by a unit of work which has seen the change of another one comes behind that one's.
 *   Events of one subject ascend with its versions. Those of one unit of work keep their order.
 * - **Ids ascend with sequences**: an id is the last one plus 1, or a UUIDv7 of the store's clock, whichever is greater.
 * - What was appended comes back character by character, also of subjects and types that this release does not know: a later release
 *   may have stored it, which runs beside this one or has run before it.
 *
 * A store may give sequences behind the commit. It then has a sequencer (`Store.numberEvents`), and events are visible once it
 * has numbered them.
 */
export interface EventReader {
  find(id: EventId): Promise<Event | undefined>;

  /** Lists the events that match, in ascending order of sequence. */
  page(filter: EventFilter, request: EventPageRequest): Promise<Page<Event>>;

  feed(): Promise<Feed>;

  /** Finds the visible events that have this `userId`, in ascending order of sequence behind `after`. */
  ofUser(userId: UserId, request: EventPageRequest): Promise<readonly Event[]>;
}

export interface EventStore extends EventReader {
  /** Adds events behind all that the unit of work has added before. */
  append(events: readonly NewEvent[]): Promise<void>;

  /** Replaces data and cause of visible events, and nothing else. For erasures alone. */
  replace(events: readonly Event[]): Promise<void>;

  /**
   * Deletes a batch of the oldest events. No hole appears: an event stays as long as one before it does, but for those whose time
   * is later than now. A clock that was ahead gave it to them: they go with an older event behind them.
   * @param than those that happened before
   * @returns whether there may be more
   */
  deleteOlder(than: Instant, now: Instant): Promise<boolean>;

  /**
   * Makes it another feed, because its sequences may differ from those that readers have seen: a database was restored in place, or a
   * failover has lost commits. Events keep their sequences and ids, and later ids ascend.
   * @param id a UUID
   */
  renew(id: string): Promise<void>;
}
