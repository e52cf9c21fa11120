import type { EventsOptions, FeedEvent } from '../../client/index.ts';
import type { Context } from '../view.ts';
import type { Loading } from './states.ts';

/** The interval between two calls for events, in milliseconds: what comes meanwhile is one call. */
const intervalBetweenCallsMs = 1_000;

interface Options {
  /** Called when the feed cannot be read. */
  readonly onEnd?: () => void;
  readonly intervalMs?: number;
}

/**
 * Calls back when events have come that a filter of the feed matches, as long as the view is open. Without the right to read events, or
 * when the feed cannot be read, `onEnd` is called: the view stays as it is.
 */
export const onEvents = (
  { api, signal }: Pick<Context, 'api' | 'signal'>,
  query: NonNullable<EventsOptions['query']>,
  callback: (events: readonly FeedEvent[]) => unknown,
  { onEnd = () => undefined, intervalMs = intervalBetweenCallsMs }: Options = {},
): void => {
  const follow = async () => {
    let isFirst = true;
    for await (const { events } of api.eventPages({ query, signal })) {
      if (!isFirst && events.length > 0) {
        callback(events);
        await new Promise((resolve) => setTimeout(resolve, intervalMs));
      }
      isFirst = false;
    }
  };
  follow().catch(() => {
    if (!signal.aborted) onEnd();
  });
};

/** Loads again as long as what is loaded will change soon, and the view is open. */
export const reloadWhile = <Value>(
  { signal }: Pick<Context, 'signal'>,
  loading: Loading<Value>,
  willChange: (value: Value) => boolean,
  intervalMs = 2_000,
): void => {
  const timer = setInterval(() => {
    if (!document.hidden && !loading.isLoading && loading.value !== undefined && willChange(loading.value))
      loading.reload();
  }, intervalMs);
  signal.addEventListener('abort', () => clearInterval(timer));
};
