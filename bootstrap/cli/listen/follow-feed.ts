import { sleep } from '#adapters/support/time.ts';
import { ApplicationError } from '#application/errors.ts';
import type { EventFilter, Feed } from '#application/ports/events.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Event } from '#domain/event.ts';

interface FollowOptions {
  readonly unitOfWork: Pick<UnitOfWork, 'read'>;
  readonly filter: EventFilter;
  /** Ends the loop. */
  readonly signal: AbortSignal;
  /** Prints one line. */
  readonly notify: (line: string) => Promise<void>;
}

const pollMs = 200;

/** The pause after an error of the database. */
const retryMs = 1_000;

const maxPageSize = 100;

interface Read {
  readonly feed: Feed;
  readonly events: readonly Event[];
}

/** Finds the end of the feed. @returns yields the events that come behind it, in order, until the signal aborts */
export const followFeed = async (options: FollowOptions): Promise<AsyncGenerator<Event>> => {
  const { id, last } = await options.unitOfWork.read(({ events }) => events.feed());
  return follow(options, { id, after: last });
};

interface Place {
  readonly id: Feed['id'];
  readonly after: number;
}

async function* follow(
  { unitOfWork, filter, signal, notify }: FollowOptions,
  start: Place,
): AsyncGenerator<Event> {
  let place = start;
  let isUnavailable = false;
  while (!signal.aborted) {
    const read = await readAfter(place.after).catch(unlessUnavailable);
    if (read === undefined) {
      if (!isUnavailable) await notify('The database is unavailable. The events that come meanwhile follow.');
      isUnavailable = true;
      await wait(retryMs, signal);
      continue;
    }
    isUnavailable = false;
    const { feed, events } = read;
    if (feed.id !== place.id || feed.last < place.after) {
      await notify('The database was restored or set back, so that events may be missing here.');
      place = { id: feed.id, after: feed.last };
      continue;
    }
    for (const event of events) {
      if (signal.aborted) return;
      yield event;
    }
    const after = events.length === maxPageSize ? (events.at(-1)?.sequence ?? 0) : feed.last;
    place = { id: feed.id, after: Math.max(place.after, after, events.at(-1)?.sequence ?? 0) };
    if (events.length < maxPageSize) await wait(pollMs, signal);
  }

  /** The feed is read before its page, so that its end is no later than that of the page. */
  function readAfter(after: number): Promise<Read> {
    return unitOfWork.read(async ({ events }) => {
      const feed = await events.feed();
      if (feed.last <= after) return { feed, events: [] };
      return { feed, events: (await events.page(filter, { after, limit: maxPageSize })).rows };
    });
  }
}

/** @throws anything but an error of the database */
const unlessUnavailable = (error: unknown): undefined => {
  if (error instanceof ApplicationError && error.kind === 'unavailable') return;
  throw error;
};

/** Ends early, without an error, when the signal aborts. */
const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, { signal }).catch(() => undefined);
