import type { PageRequest } from '#application/ports/repositories.ts';
import type { RequestContext } from '#application/ports/unit-of-work.ts';
import type { Caller, ExpectedVersions } from '#application/preconditions.ts';
import type { Id } from '#domain/resource.ts';

/** An id whose kind of resource is not known yet. It is assignable to the id of any kind. */
export type AnyId = Id<never>;

/** A request whose headers, path, query string and body have been parsed and are valid. */
export interface ParsedRequest<Names extends string = string, Body = unknown, Filter = unknown> {
  readonly caller: Caller;
  /** The path as the client wrote it, with its version: `/v1/orders`. */
  readonly requestPath: string;
  /** The ids in the path, by their names in the route's pattern. */
  readonly path: Readonly<Record<Names, AnyId>>;
  readonly body: Body;
  readonly filter: Filter;
  readonly page: PageRequest<AnyId>;
  /** The filter for links and cursors: `status=active&`, or empty. */
  readonly canonicalFilter: string;
  /** The versions in If-Match, for optimistic concurrency. */
  readonly expectedVersions: ExpectedVersions;
  /** The If-None-Match header of a GET. */
  readonly ifNoneMatch: string | undefined;
  readonly context: RequestContext;
}
