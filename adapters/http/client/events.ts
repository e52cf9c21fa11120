import { type Connection, call } from './call.ts';
import { EventsForgottenError, PorticoError } from './error.ts';
import { sleep } from './retry.ts';
import type { DataOf, Options, Page, QueryOf, Request } from './types.ts';

type Target = 'GET /events';

/** An event of the feed. */
export type FeedEvent = DataOf<Target>;

/** Where and how to read the feed. */
export interface EventsOptions extends Pick<Options, 'retryForMilliseconds' | 'onRetry' | 'signal'> {
  /** The cursor that you have stored: read what comes after it. Without one, or with null, read from `start`. */
  readonly cursor?: string | null | undefined;
  /** Where to begin without a cursor: at the oldest event that is kept, which is the default, or at the end of the feed. */
  readonly start?: 'oldest' | 'latest' | undefined;
  /** The filters, and the size of a page: 100 by default. A cursor is valid with the same filters only. */
  readonly query?: Omit<QueryOf<Target>, 'cursor' | 'start'> | undefined;
  /** How long one request waits for the next event: 1 to 30, by default 20. */
  readonly waitSeconds?: number | undefined;
}

/** An event, and the cursor to store once it is processed: reading goes on with the next one. */
export interface FeedItem {
  readonly event: FeedEvent;
  readonly cursor: string;
}

/** Events in order, and the cursor to store once all of them are processed. */
export interface FeedPage {
  readonly events: readonly FeedEvent[];
  readonly cursor: string;
}

/** The size of a page: the greatest that the server has. */
const defaultLimit = 100;

const defaultWaitSeconds = 20;

/** An empty page that comes sooner did not wait, because too many requests wait or the server stops. */
const minIntervalMs = 1_000;

/** How often a cursor of filters that nothing matches is moved on. Events are kept for a week or more. */
const moveIntervalMs = 3_600_000;

/**
 * Reads the feed without end, page by page, and waits for what comes. An empty page has a cursor that is worth storing: without a
 * cursor the first page may be empty, and with filters one page an hour while nothing matches.
 * @throws EventsForgottenError; PorticoError for any other final error; the signal's reason
 */
export async function* feedPages(connection: Connection, options: EventsOptions): AsyncGenerator<FeedPage> {
  let { cursor, skipTo } = readCursor(options.cursor);
  if (cursor === undefined) {
    // Short, so that the cursor within every later page counts from one of the server.
    const { events, cursor: first } = await readFirst(connection, options);
    cursor = first;
    yield { events, cursor };
  }
  let movedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const startedAt = performance.now();
    const read = await readPage(connection, options, { cursor }, options.waitSeconds ?? defaultWaitSeconds);
    const events = read.events.filter(({ sequence }) => sequence > skipTo);
    if (events.length > 0) yield { events, cursor: read.cursor };
    else if (performance.now() - startedAt < minIntervalMs && read.cursor === cursor)
      await sleep(minIntervalMs * (1 + Math.random()), options.signal);
    cursor = read.cursor;
    if (events.length === 0 && isFiltered(options) && performance.now() - movedAt >= moveIntervalMs) {
      movedAt = performance.now();
      const moved = await moveOn(connection, options, cursor);
      if (moved !== cursor) yield { events: [], cursor: moved };
      cursor = moved;
    }
  }
}

const isFiltered = ({ query }: EventsOptions): boolean =>
  query?.type !== undefined || query?.order_id !== undefined;

/**
 * The end of the feed, if nothing before it matches the filters: a page whose filters match nothing keeps its cursor,
 * and there the events would be deleted one day. The end is read first, and all events up to it are visible then.
 * @returns the same cursor when there is something to read behind it
 */
const moveOn = async (connection: Connection, options: EventsOptions, cursor: string): Promise<string> => {
  const end = await readPage(connection, options, { start: 'latest' });
  const { events } = await readPage(connection, options, { cursor, limit: 1 });
  return events.length > 0 ? cursor : end.cursor;
};

/** As `feedPages`, event by event. Each event has a cursor of its own, also within a page. @throws as `feedPages` */
export async function* feedItems(connection: Connection, options: EventsOptions): AsyncGenerator<FeedItem> {
  let before = readCursor(options.cursor).cursor;
  for await (const { events, cursor } of feedPages(connection, options)) {
    for (const [index, event] of events.entries()) {
      options.signal?.throwIfAborted();
      const isLast = index === events.length - 1;
      yield { event, cursor: isLast ? cursor : cursorWithin(before, event) };
    }
    before = cursor;
  }
}

/** The server gives a cursor for each page only. Within one it is that of the page before, with the last event to skip. */
const cursorWithin = (before: string | undefined, { sequence }: FeedEvent): string => `${before}.${sequence}`;

const readCursor = (cursor: string | null | undefined) => {
  if (cursor === undefined || cursor === null) return { cursor: undefined, skipTo: 0 };
  const [, before, skipTo] = /^([\w-]+)\.(\d{1,16})$/.exec(cursor) ?? [];
  return before === undefined ? { cursor, skipTo: 0 } : { cursor: before, skipTo: Number(skipTo) };
};

/** At most one event, without waiting: had a response with more been lost, `latest` would be another place the next time. */
const readFirst = (connection: Connection, options: EventsOptions): Promise<FeedPage> =>
  readPage(connection, options, options.start === 'latest' ? { start: 'latest' } : { limit: 1 });

const readPage = async (
  connection: Connection,
  { query, retryForMilliseconds = Number.POSITIVE_INFINITY, onRetry, signal }: EventsOptions,
  place: Pick<QueryOf<Target>, 'cursor' | 'start' | 'limit'>,
  waitSeconds?: number,
): Promise<FeedPage> => {
  const request: Request<Target> = {
    query: { limit: defaultLimit, ...query, ...place },
    retryForMilliseconds,
    totalMilliseconds: Number.POSITIVE_INFINITY,
    ...(onRetry !== undefined && { onRetry }),
    signal,
  };
  const answer = await call(connection, 'GET /events', request, waitSeconds);
  if (answer.ok) return toPage(answer);
  const { error } = answer;
  throw error.code === 'EVENTS_FORGOTTEN' ? new EventsForgottenError(error) : error;
};

/** @throws PorticoError when there is no place to go on: the next request would begin anew */
const toPage = ({ data, pagination, status, requestId }: Page<Target>): FeedPage => {
  const cursor: unknown = pagination?.resume_cursor;
  if (typeof cursor !== 'string' || cursor === '')
    throw new PorticoError('UNREADABLE', 'The page has no resume_cursor.', { status, requestId });
  return { events: data, cursor };
};
