import type { Caller } from '#application/access.ts';
import type { SeenVersions } from '#application/found.ts';
import type { PageRequest } from '#application/page.ts';
import type { Id } from '#domain/id.ts';

/** The id of nothing yet: it fits wherever a resource is named. */
export type AnyId = Id<never>;

/** A request that has been read and found in order. */
export interface ParsedRequest<Names extends string = string, Body = unknown, Filter = unknown> {
  readonly caller: Caller;
  /** The path as the client wrote it, version and all. */
  readonly requestPath: string;
  /** The ids in the path, by their names in the route. */
  readonly path: Readonly<Record<Names, AnyId>>;
  readonly body: Body;
  readonly filter: Filter;
  readonly page: PageRequest<AnyId>;
  /** The filter as it goes into links and cursors: `status=active&`, or nothing. */
  readonly canonicalFilter: string;
  /** From If-Match. */
  readonly expectedVersions: SeenVersions;
  /** From If-None-Match, which only a GET can be answered by. */
  readonly ifNoneMatch: string | undefined;
  /** When nobody waits for the answer any more, by `performance.now()`. */
  readonly deadline: number;
}
