import { type Connection, call } from './call.ts';
import { type EventsOptions, type FeedItem, type FeedPage, feedItems, feedPages } from './events.ts';
import type { Answer, DataOf, ListTarget, Page, Request, Requested, Success, Target } from './types.ts';

export type { Api } from './api.ts';
export type { Connection } from './call.ts';
export { EventsForgottenError, type FieldFault, PorticoError } from './error.ts';
export type { EventsOptions, FeedEvent, FeedItem, FeedPage } from './events.ts';
export type {
  Answer,
  BodyOf,
  ClientCode,
  CodeOf,
  DataOf,
  Done,
  Failure,
  FeedTarget,
  ListTarget,
  Options,
  Page,
  QueryOf,
  Request,
  RetryOptions,
  Success,
  Target,
} from './types.ts';
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from './verify-webhook.ts';

/** A client of one Portico server. */
export interface Portico {
  /**
   * Sends a request, and retries while the response is not final: without a response, after 408, 429 and every 5xx, and while
   * the first request with the key is running. All attempts carry one idempotency key, so the request happens once.
   * @returns success or error; `orThrow` throws the error
   * @throws the signal's reason when it aborts the call; what `onRetry` throws; TypeError for a request that can never be sent
   */
  send<T extends Target>(target: T, ...request: Requested<T>): Promise<Answer<T>>;

  /** Iterates over the pages of a list, each fetched on demand. @throws PorticoError, and the signal's reason */
  pages<T extends ListTarget>(target: T, ...request: Requested<T>): AsyncIterable<Page<T>>;

  /** Iterates over the resources of a list, page by page. @throws PorticoError, and the signal's reason */
  each<T extends ListTarget>(target: T, ...request: Requested<T>): AsyncIterable<DataOf<T>>;

  /**
   * Reads the feed of events without end, waits for what comes, and retries without limit. Store the cursor of an event with
   * what you have done with it, and go on there after a crash: nothing is left out and nothing comes twice.
   * @throws EventsForgottenError when events after the cursor may be gone; PorticoError for any other final error; the
   * signal's reason
   */
  events(options?: EventsOptions): AsyncIterable<FeedItem>;

  /**
   * As `events`, page by page: as many events as there are, up to 100, with one cursor for all. A page may be empty, at the
   * beginning and while nothing matches the filters: store its cursor too.
   */
  eventPages(options?: EventsOptions): AsyncIterable<FeedPage>;
}

/**
 * Creates a client. It sends nothing until its first call.
 * @example
 * import { orThrow, portico } from '#adapters/http/client/index.ts';
 *
 * const shop = portico({ url: 'https://shop.example', key: 'ptc_...' });
 * const product = '0197b3c0-0000-7000-8000-000000000000';
 * const order = orThrow(
 *   await shop.send('POST /orders', { body: { product_id: product, quantity: 2 } }),
 * );
 * for await (const payment of shop.each('GET /payments', { query: { order_id: order.data.id } }))
 *   console.log(payment.status);
 */
export const portico = (connection: Connection): Portico => {
  const send = <T extends Target>(target: T, ...[request]: Requested<T>): Promise<Answer<T>> =>
    call(connection, target, request);

  async function* pages<T extends ListTarget>(target: T, ...[request]: Requested<T>): AsyncIterable<Page<T>> {
    let cursor: string | null | undefined;
    do {
      const query = { ...request?.query, ...(cursor && { cursor }) };
      const page = orThrow<T>(await call(connection, target, { ...request, query } as Request<T>)) as Page<T>;
      yield page;
      if (page.pagination.next_cursor === cursor)
        throw new TypeError('The next page has the same cursor as this page.');
      cursor = page.pagination.next_cursor;
    } while (cursor !== null);
  }

  return {
    send,
    pages,
    async *each(target, ...request) {
      for await (const { data } of pages(target, ...request)) yield* data;
    },
    events: (options = {}) => feedItems(connection, options),
    eventPages: (options = {}) => feedPages(connection, options),
  };
};

/** Returns a success, and throws the error of a failure. @throws PorticoError */
export const orThrow = <T extends Target>(result: Answer<T>): Success<T> => {
  if (result.ok) return result;
  throw result.error;
};
