import type { Api } from './api.ts';

/** What can be asked for, by method and path: `POST /orders`. */
export type Target = keyof Api;

/** Those of them that answer in pages. */
export type ListTarget = { [T in Target]: Api[T]['content'] extends 'page' ? T : never }[Target];

/** Those that read one resource, of which somebody may have the latest version already. */
export type OneTarget = {
  [T in Target & `GET ${string}`]: Api[T]['content'] extends 'one' ? T : never;
}[Target & `GET ${string}`];

/** What the body of a request holds. */
export type BodyOf<T extends Target> = Api[T]['body'];

/** What an answer holds: one of something, or on a page some of them. */
export type DataOf<T extends Target> = Api[T]['data'];

/** The codes with which it can be refused, by the server. */
export type CodeOf<T extends Target> = Api[T]['code'];

/** Only what is looked for, and which part of it. */
export type QueryOf<T extends ListTarget> = Api[T]['query'] & {
  /** How many at the most, on a page; 20 unless it is said, and never more than 100. */
  readonly limit?: number;
  /** Where to go on: the `next_cursor` of the page before. */
  readonly cursor?: string;
};

/** What any request can be told. */
export interface Options {
  /** Ends the call, and what is under way of it. Whether the server did it is then not known. */
  readonly signal?: AbortSignal | undefined;
  /** For how many milliseconds it is tried again while the answer is not final; 0 for never. */
  readonly patienceMilliseconds?: number;
}

/** An id for each name in the path, where it has any. */
type Path<T extends Target> = keyof Api[T]['path'] extends never
  ? { readonly path?: undefined }
  : { readonly path: Api[T]['path'] };

type Body<T extends Target> =
  BodyOf<T> extends undefined ? { readonly body?: undefined } : { readonly body: BodyOf<T> };

type Query<T extends Target> = T extends ListTarget
  ? { readonly query?: QueryOf<T> }
  : { readonly query?: undefined };

interface Key {
  /** Made anew for each call, unless it is given: whoever must know after a crash what they asked for keeps it first. */
  readonly idempotencyKey?: string;
}

interface Match {
  /** Changes this version only, else 412: the `version` of what was read, or its ETag. */
  readonly ifMatch?: number | string;
}

interface NoneMatch {
  /** Answers 304 NOT_MODIFIED unless there is a newer version than this: a `version` or an ETag. */
  readonly ifNoneMatch?: number | string;
}

type Conditions<T extends Target> = T extends `POST ${string}`
  ? Key
  : T extends OneTarget
    ? NoneMatch
    : T extends `DELETE ${string}`
      ? Match
      : Key & Match;

/** Everything that a request is made of. */
export type Request<T extends Target> = Path<T> & Query<T> & Body<T> & Conditions<T> & Options;

/** A request, which may be left out where nothing has to be said. */
export type Requested<T extends Target> =
  Record<never, never> extends Request<T> ? [request?: Request<T>] : [request: Request<T>];
