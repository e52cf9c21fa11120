import type { Api } from './api.ts';
import type { PorticoError } from './error.ts';
import type { CodeOf, DataOf, OneTarget, Target } from './request.ts';

/** What became of a call. A refusal is a value like any other: `ok` tells which it is. */
export type Answer<T extends Target> = Success<T> | Failure<T>;

export type Success<T extends Target> = Api[T]['content'] extends 'page' ? Page<T> : Done<DataOf<T>>;

export interface Failure<T extends Target> {
  readonly ok: false;
  readonly error: PorticoError<CodeOf<T> | ClientCode | NotModified<T>>;
}

/** Codes that no server sends: there was no answer, or none that a Portico would give. */
export type ClientCode = 'UNREACHABLE' | 'UNREADABLE';

type NotModified<T extends Target> = T extends OneTarget ? 'NOT_MODIFIED' : never;

/** It was done. */
export interface Done<Data> {
  readonly ok: true;
  readonly status: number;
  readonly data: Data;
  /** By which the server's log finds the request. */
  readonly requestId: string | undefined;
  /** Of this version; undefined also where a browser hides it from other origins. */
  readonly etag: string | undefined;
  /** Whether this is the answer to an earlier request with the same key. */
  readonly replayed: boolean;
  /** The key that stood for the call, where one did. */
  readonly idempotencyKey: string | undefined;
  readonly headers: Headers;
}

export interface Page<T extends Target> extends Done<readonly DataOf<T>[]> {
  readonly pagination: {
    /** Null on the last page. */
    readonly next_cursor: string | null;
    readonly has_more: boolean;
    readonly limit: number;
  };
}
