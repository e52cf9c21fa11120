import { DomainError } from '#domain/errors.ts';
import { type Event, type EventTypePattern, typesMatching } from '#domain/event.ts';
import type { EventId } from '#domain/event-id.ts';
import type { OrderId } from '#domain/order.ts';
import type { EventFilter, Feed } from '../ports/events.ts';
import type { Page } from '../ports/page.ts';
import { type Caller, isAdmin, requireFound } from '../preconditions.ts';
import { query } from '../use-case.ts';

/** Where a reader of the feed goes on. */
export interface FeedPosition {
  /** The sequence of the last event that was read. */
  readonly after: number;
  readonly isOf: (feedId: Feed['id']) => boolean;
}

export interface ListEvents {
  readonly orderId?: OrderId | undefined;
  readonly type?: EventTypePattern | undefined;
  /** `latest` is the end of the feed. By default the begin of what is kept. */
  readonly from?: FeedPosition | 'latest' | undefined;
  readonly limit: number;
}

/** An event as its reader may see it. */
export interface VisibleEvent extends Omit<Event, 'data'> {
  readonly data: Event['data'] | null;
}

export interface EventPage extends Page<VisibleEvent> {
  /** Behind the last event of the page, or where the request was already. */
  readonly resume: { readonly feedId: Feed['id']; readonly after: number };
}

/** The feed of events, for staff. */
export const eventUseCases = () => ({
  list: query(
    'events:read',
    ['events-forgotten'],
    (caller, { orderId, type, from, limit }: ListEvents) =>
      async ({ events }): Promise<EventPage> => {
        const filter: EventFilter = {
          ...(orderId !== undefined && { orderId }),
          ...(type !== undefined && { types: typesMatching(type) }),
        };
        if (from === 'latest') {
          const { id, last } = await events.feed();
          return { rows: [], hasMore: false, resume: { feedId: id, after: last } };
        }
        // The feed is read behind its page: what was deleted in between counts as missing, never as read.
        const { rows, hasMore } = await events.page(filter, { after: from?.after ?? 0, limit });
        const feed = await events.feed();
        if (from !== undefined) requireKept(from, feed);
        const after = rows.at(-1)?.sequence ?? from?.after ?? feed.first - 1;
        return { rows: rows.map(visibleTo(caller)), hasMore, resume: { feedId: feed.id, after } };
      },
    'staff',
  ),

  get: query(
    'events:read',
    ['not-found'],
    (caller, id: EventId) =>
      async ({ events }) =>
        visibleTo(caller)(requireFound(await events.find(id))),
    'staff',
  ),
});

/** @throws DomainError 'events-forgotten' when events after the position may be missing */
const requireKept = ({ after, isOf }: FeedPosition, { id, first, last }: Feed): void => {
  if (!isOf(id)) throw forgotten('is of another feed: the data were restored from a backup');
  // A store that was set back by other means keeps the id of its feed.
  if (after > last) throw forgotten('is beyond the end of the feed: the data were set back');
  if (after + 1 < first) throw forgotten('is older than the events that are kept');
};

const forgotten = (message: string): DomainError =>
  new DomainError('events-forgotten', 'Events after this cursor are no longer kept.', [
    { field: 'cursor', message },
  ]);

/** Keys of the API, endpoints of webhooks, and idempotency keys are for administrators. */
const visibleTo =
  (caller: Caller) =>
  (event: Event): VisibleEvent => {
    if (isAdmin(caller)) return event;
    const isHidden = event.subject.type === 'api_key' || event.subject.type === 'webhook_endpoint';
    return {
      ...event,
      data: isHidden ? null : event.data,
      cause: { ...event.cause, idempotencyKey: null },
    };
  };
