import type { EventFilter, EventPageRequest, EventStore, Feed } from '#application/ports/events.ts';
import { Page } from '#application/ports/page.ts';
import type { Event, NewEvent } from '#domain/event.ts';
import { EventId } from '#domain/event-id.ts';
import type { Instant } from '#domain/instant.ts';
import type { UserId } from '#domain/user.ts';
import type { Draft, Rows } from './rows.ts';

/** What the feed keeps beside its events. */
export interface FeedRow {
  readonly id: string;
  readonly last: number;
  readonly lastId: EventId | undefined;
}

const feedKey = 'feed';

/** Begins the feed of a store that has none. */
export const beginFeed = (feed: Rows<FeedRow>, id: string): void => {
  if (feed.get(feedKey) === undefined) feed.put(feedKey, { id, last: 0, lastId: undefined });
};

/** How many events one call deletes. */
const batchSize = 100;

/** The feed as one unit of work sees it. Execution is serial, so a counter gives the sequences. */
export class MemoryEvents implements EventStore {
  readonly #events: Draft<Event>;
  readonly #feed: Draft<FeedRow>;

  constructor(events: Draft<Event>, feed: Draft<FeedRow>) {
    this.#events = events;
    this.#feed = feed;
  }

  async append(events: readonly NewEvent[]): Promise<void> {
    let { id, last, lastId } = this.#row();
    for (const event of events) {
      last += 1;
      const milliseconds = Date.parse(event.timestamp);
      const earliest = lastId === undefined ? 0 : EventId.milliseconds(lastId);
      lastId = EventId.of(EventId.prefix(Math.max(milliseconds, earliest), id), last);
      this.#events.put(keyOf(last), placed(event, lastId, last));
    }
    this.#feed.put(feedKey, { id, last, lastId });
  }

  async find(id: EventId): Promise<Event | undefined> {
    const event = this.#events.get(keyOf(EventId.sequence(id)));
    return event?.id === id ? event : undefined;
  }

  async page({ orderId, types }: EventFilter, request: EventPageRequest): Promise<Page<Event>> {
    const matches = (event: Event): boolean =>
      (orderId === undefined || event.orderId === orderId) &&
      (types === undefined || types.includes(event.type));
    return Page.of(this.#next(matches, { ...request, limit: request.limit + 1 }), request.limit);
  }

  async ofUser(userId: UserId, request: EventPageRequest): Promise<readonly Event[]> {
    return this.#next((event) => event.userId === userId, request);
  }

  async feed(): Promise<Feed> {
    const { id, last } = this.#row();
    const [oldest] = this.#next(() => true, { after: 0, limit: 1 });
    return { id, first: oldest?.sequence ?? last + 1, last };
  }

  async replace(events: readonly Event[]): Promise<void> {
    for (const { sequence, data, cause } of events) {
      const stored = this.#events.get(keyOf(sequence));
      if (stored !== undefined) this.#events.put(keyOf(sequence), { ...stored, data, cause });
    }
  }

  async deleteOlder(than: Instant, now: Instant): Promise<boolean> {
    const oldest = this.#next(() => true, { after: 0, limit: batchSize });
    const firstKept = oldest.findIndex(({ timestamp }) => timestamp >= than && timestamp <= now);
    const old = firstKept < 0 ? oldest : oldest.slice(0, firstKept);
    const last = old.findLastIndex(({ timestamp }) => timestamp < than);
    for (const { sequence } of old.slice(0, last + 1)) this.#events.put(keyOf(sequence), undefined);
    return last >= 0 && old.length === batchSize;
  }

  async renew(id: string): Promise<void> {
    const { last, lastId } = this.#row();
    const later = lastId && EventId.of(EventId.prefix(EventId.milliseconds(lastId) + 1, id), last);
    this.#feed.put(feedKey, { id, last, lastId: later });
  }

  #next(matches: (event: Event) => boolean, { after, limit }: EventPageRequest): readonly Event[] {
    const found: Event[] = [];
    for (const event of this.#events.walk(keyOf(after))) {
      if (matches(event)) found.push(event);
      if (found.length === limit) break;
    }
    return found;
  }

  #row(): FeedRow {
    const row = this.#feed.get(feedKey);
    if (row === undefined) throw new TypeError('The store has no feed.');
    return row;
  }
}

const placed = (event: NewEvent, id: EventId, sequence: number): Event => ({
  ...event,
  ...{ id, sequence, version: 1, createdAt: event.timestamp, updatedAt: event.timestamp },
});

/** Keys sort as texts. */
const keyOf = (sequence: number): string => sequence.toString().padStart(16, '0');
