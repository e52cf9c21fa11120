// @ts-nocheck
/** How long a view rests after it has called for news, in milliseconds: what comes meanwhile is told together. */
const restMs = 1_000;

/**
 * Calls back when events have come that a filter of the feed matches, as long as the view is open. Without the right to read events, or
 * when the feed cannot be read, `onEnd` is called: the view stays as it is.
 */
export const onEvents = (
  { api, signal },
  query,
  callback,
  { onEnd = () => undefined, rest = restMs } = {},
) => {
  const follow = async () => {
    let isFirst = true;
    for await (const { events } of api.eventPages({ query, signal })) {
      if (!isFirst && events.length > 0) {
        callback(events);
        await new Promise((resolve) => setTimeout(resolve, rest));
      }
      isFirst = false;
    }
  };
  follow().catch(() => {
    if (!signal.aborted) onEnd();
  });
};

/** Loads again as long as what is loaded will change soon, and the view is open. */
export const reloadWhile = ({ signal }, loading, willChange, intervalMs = 2_000) => {
  const timer = setInterval(() => {
    if (!document.hidden && !loading.isLoading && loading.value !== undefined && willChange(loading.value))
      loading.reload();
  }, intervalMs);
  signal.addEventListener('abort', () => clearInterval(timer));
};
