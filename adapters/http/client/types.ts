import type { Api } from './api.ts';
import type { PorticoError } from './error.ts';

/** A method and path: `POST /orders`. */
export type Target = keyof Api;

/** The targets that respond with a page of a list. */
export type ListTarget = { [T in Target]: Api[T]['content'] extends 'page' | 'whole' ? T : never }[Target];

/** The targets that read one resource, and accept If-None-Match. */
type OneTarget = {
  [T in Target & `GET ${string}`]: Api[T]['content'] extends 'one' ? T : never;
}[Target & `GET ${string}`];

/** The body of a request. */
export type BodyOf<T extends Target> = Api[T]['body'];

/** The resource in a response; on a page, each of its resources. */
export type DataOf<T extends Target> = Api[T]['data'];

/** The error codes that the server may respond with. */
export type CodeOf<T extends Target> = Api[T]['code'];

/** The targets that respond with a page of the feed and the cursor behind it. */
export type FeedTarget = { [T in ListTarget]: Api[T]['isFeed'] extends true ? T : never }[ListTarget];

/** The targets that respond with a whole list in one page. */
type WholeTarget = { [T in ListTarget]: Api[T]['content'] extends 'whole' ? T : never }[ListTarget];

/** The filters of a list, with its order, and the size and the cursor of a page. */
export type QueryOf<T extends ListTarget> = Api[T]['query'] &
  (T extends WholeTarget ? unknown : (T extends FeedTarget ? Start : Sort) & PageQuery);

interface Sort {
  /** The newest first. Without it the oldest first. */
  readonly sort?: '-id';
}

interface Start {
  /** In place of a cursor: the end of the feed. */
  readonly start?: 'latest';
}

interface PageQuery {
  /** The maximum size of a page: 20 by default, 100 at most. */
  readonly limit?: number;
  /** The `next_cursor` of the previous page, or a `resume_cursor` of the feed. */
  readonly cursor?: string;
}

/** How long a call is retried. Given for one call, they replace those of the client. */
export interface RetryOptions {
  /**
   * For how many milliseconds another attempt may start while the response is not final; 0 for no retry. By default 5,000 for
   * a read, 60,000 for a write and for what the rate limit rejects.
   */
  readonly retryForMilliseconds?: number;
  /** @deprecated the former name of `retryForMilliseconds` */
  readonly patienceMilliseconds?: number;
  /** The maximum duration of the whole call in milliseconds, attempts and delays included. Unlimited by default. */
  readonly totalMilliseconds?: number;
  /**
   * Called before each delay. The call ends with what it throws.
   * @param error why the attempt failed
   * @param attempt the number of the attempt that failed: 1 for the first
   * @param delay milliseconds until the next attempt
   */
  readonly onRetry?: ((error: PorticoError, attempt: number, delay: number) => void) | undefined;
}

/** Options of every call. */
export interface Options extends RetryOptions {
  /** Cancels the call. Whether the server processed the request is then unknown. */
  readonly signal?: AbortSignal | undefined;
}

/** An id for each placeholder of the path. */
type Path<T extends Target> = keyof Api[T]['path'] extends never
  ? { readonly path?: undefined }
  : { readonly path: Api[T]['path'] };

type Body<T extends Target> =
  BodyOf<T> extends undefined ? { readonly body?: undefined } : { readonly body: BodyOf<T> };

type Query<T extends Target> = T extends ListTarget
  ? Record<never, never> extends QueryOf<T>
    ? { readonly query?: QueryOf<T> }
    : { readonly query: QueryOf<T> }
  : keyof Api[T]['query'] extends never
    ? { readonly query?: undefined }
    : { readonly query?: Api[T]['query'] };

interface Key {
  /** Generated for each call by default. To resume after a crash, store a key of your own before the call. */
  readonly idempotencyKey?: string;
}

interface Match {
  /** Optimistic concurrency: the `version` or ETag to change. 412 when the resource has another version. */
  readonly ifMatch?: number | string;
}

interface NoneMatch {
  /** The `version` or ETag that you have. NOT_MODIFIED when it is still the latest. */
  readonly ifNoneMatch?: number | string;
}

type Conditions<T extends Target> = T extends `POST ${string}`
  ? Key
  : T extends OneTarget
    ? NoneMatch
    : T extends `DELETE ${string}`
      ? Match
      : Key & Match;

/** All parts of a request. */
export type Request<T extends Target> = Path<T> & Query<T> & Body<T> & Conditions<T> & Options;

/** The request argument of a call, optional when no part of it is required. */
export type Requested<T extends Target> =
  Record<never, never> extends Request<T> ? [request?: Request<T>] : [request: Request<T>];

/** The result of a call. An error is returned, not thrown: check `ok`. */
export type Answer<T extends Target> = Success<T> | Failure<T>;

export type Success<T extends Target> = T extends ListTarget ? Page<T> : Done<DataOf<T>>;

export interface Failure<T extends Target> {
  readonly ok: false;
  readonly error: PorticoError<CodeOf<T> | ClientCode | NotModified<T>>;
}

/** Codes of the client itself: no response arrived, or one that Portico did not send. */
export type ClientCode = 'UNREACHABLE' | 'UNREADABLE';

type NotModified<T extends Target> = T extends OneTarget ? 'NOT_MODIFIED' : never;

/** A success response. */
export interface Done<Data> {
  readonly ok: true;
  readonly status: number;
  readonly data: Data;
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined;
  /** The ETag of this version; undefined when a browser hides it from other origins. */
  readonly etag: string | undefined;
  /** Whether this is the stored response to an earlier request with the same key. */
  readonly replayed: boolean;
  /** The idempotency key of the call, if it had one. */
  readonly idempotencyKey: string | undefined;
  readonly headers: Headers;
}

export interface Page<T extends Target> extends Done<readonly DataOf<T>[]> {
  readonly pagination: {
    /** Null on the last page. */
    readonly next_cursor: string | null;
    readonly has_more: boolean;
    readonly limit: number;
  } & (T extends FeedTarget ? Resume : unknown);
}

interface Resume {
  /** Where to go on reading the feed, also on the last page. */
  readonly resume_cursor: string;
}
