import type { Api } from '../../api.ts';
import { errorOf } from '../../errors.ts';

/** What requests are sent with. */
export interface Sender {
  readonly api: Api;
  /** Ends what is sent. */
  readonly signal: AbortSignal;
}

/** Sends a request, again as long as there are too many, after the time that the server asks for. */
export const retryAfter429 = async <T>(
  { api, signal }: Sender,
  send: (api: Api, signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  for (;;) {
    try {
      return await send(api, signal);
    } catch (error) {
      const { status, retryAfterSeconds = 5 } = errorOf(error);
      if (status !== 429) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryAfterSeconds * 1000));
      signal.throwIfAborted();
    }
  }
};

/** So few at once that the shop does not notice. */
const maxAtOnce = 4;

/**
 * Works on items, some at once, until all are done or work throws.
 * @param isEnded ends it before the next item
 */
export const workThrough = async <Item>(
  items: readonly Item[],
  isEnded: () => boolean,
  work: (item: Item) => Promise<unknown>,
): Promise<void> => {
  // All read one iterator, so each item is worked on once.
  const waiting = items.values();
  let failure: unknown;
  const worker = async () => {
    for (const item of waiting) {
      if (isEnded() || failure !== undefined) return;
      try {
        await work(item);
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all(Array.from({ length: maxAtOnce }, worker));
  if (failure !== undefined && !isEnded()) throw failure;
};
