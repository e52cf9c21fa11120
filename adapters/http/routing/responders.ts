import type { Schema } from '#adapters/wire/codec.ts';
import type { View } from '#adapters/wire/view.ts';
import type { Page, PageRequest } from '#application/ports/repositories.ts';
import type { RequestContext } from '#application/ports/unit-of-work.ts';
import type { Caller, ExpectedVersions } from '#application/preconditions.ts';
import type { EventPage } from '#application/use-cases/events.ts';
import type { Resource } from '#domain/resource.ts';
import type { ApiResponse } from '../request/context.ts';
import { entityTag, isNotModified, type ReadConditions, requireMatch } from './conditional-request.ts';
import { Cursor } from './cursor.ts';
import { FeedCursor } from './feed-cursor.ts';
import { type AnyId, type ListQuery, listOf } from './list-query.ts';

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
  /** Filters, period and order for links and cursors: `sort=-id&status=active&`, or empty. */
  readonly canonicalFilter: string;
  /** The names of the expansions; undefined without any. */
  readonly expand?: readonly string[] | undefined;
  /** Where in the feed the page begins; undefined for any other list. */
  readonly from?: ListQuery['from'];
  /** Encodes the field `expanded` of each resource; undefined without expansions. */
  readonly expandedOf?: (of: Resource) => object;
  /** The versions that a write accepts (optimistic concurrency). */
  readonly expectedVersions: ExpectedVersions;
  /** The conditions of a GET. */
  readonly readConditions: ReadConditions | undefined;
  readonly context: RequestContext;
}

/** Whether the body holds one resource, a page of them, a whole list in one page, or nothing. */
type ContentKind = 'one' | 'page' | 'whole' | 'nothing';

/** Renders the result of a route's use case as the success response. */
export interface Responder<
  T,
  Content extends ContentKind = ContentKind,
  Wire = unknown,
  Feed extends true = never,
> {
  readonly status: 200 | 201 | 204;
  readonly content: Content;
  /** The view of each resource in the body; undefined when there is no body. */
  readonly view: View<never, Wire> | undefined;
  /** Whether caches may keep no response, or none with something fleeting, which has no entity tag either. By default they may. */
  readonly noStore?: 'always' | 'when fleeting';
  /** The maximum length of a whole list. */
  readonly maxRows?: number;
  /** Whether the page is one of the feed. */
  readonly isFeed?: Feed;
  readonly respond: (result: T, request: ParsedRequest) => ApiResponse;
}

/** What a resource has only in the response that follows: neither a store nor a cache may keep it. */
export interface Fleeting<T> {
  readonly isIn: (resource: T) => boolean;
  readonly without: (resource: T) => T;
}

/** No cache keeps the response (RFC 9111 section 5.2.2.5). */
const noStore = { 'Cache-Control': 'no-store' };

/** 200 with one resource, or 304 when If-None-Match names its version. What is fleeting has no entity tag, and no 304. */
export const ok = <T extends Resource, Wire>(
  view: View<T, Wire>,
  fleeting?: Fleeting<T>,
): Responder<T, 'one', Wire> => ({
  status: 200,
  content: 'one',
  view,
  ...(fleeting && { noStore: 'when fleeting' }),
  respond: (resource, request) => {
    const { readConditions } = request;
    const isFleeting = fleeting?.isIn(resource) === true;
    if (request.expandedOf !== undefined || isFleeting) {
      requireMatch(readConditions, undefined);
      const headers = isFleeting ? noStore : {};
      return { status: 200, headers, body: JSON.stringify({ data: encoded(view, resource, request) }) };
    }
    const ETag = entityTag(resource.version);
    requireMatch(readConditions, resource.version);
    if (isNotModified(readConditions, resource.version))
      return { status: 304, headers: { ETag }, body: null };
    return { status: 200, headers: { ETag }, body: JSON.stringify({ data: view.encode(resource) }) };
  },
});

/** A resource with its expansions has no entity tag: its version does not cover theirs. */
const encoded = <T extends Resource>(view: View<T>, resource: T, { expandedOf }: ParsedRequest): unknown =>
  expandedOf === undefined
    ? view.encode(resource)
    : { ...(view.encode(resource) as object), expanded: expandedOf(resource) };

/** 201 with a new resource, and its address in Location. */
export const created = <T extends Resource, Wire>(
  view: View<T, Wire>,
  fleeting?: Fleeting<T>,
): Responder<T, 'one', Wire> => ({
  status: 201,
  content: 'one',
  view,
  ...(fleeting && { noStore: 'when fleeting' }),
  respond: (resource, request) => {
    const response = respondCreated(resource, encoded(view, resource, request), request);
    if (fleeting?.isIn(resource) !== true) return response;
    const { ETag: _, ...headers } = response.headers;
    const storableBody = JSON.stringify({ data: encoded(view, fleeting.without(resource), request) });
    return { ...response, headers: { ...headers, ...noStore }, storableBody };
  },
});

const respondCreated = (
  { id, version }: Resource,
  data: unknown,
  { requestPath, expandedOf }: ParsedRequest,
): ApiResponse => ({
  status: 201,
  headers: {
    ...(expandedOf === undefined && { ETag: entityTag(version) }),
    Location: `${requestPath}/${id}`,
  },
  body: JSON.stringify({ data }),
});

/** Fields that are shown once. They are not stored, so a replayed response lacks them. */
interface Secret<T, Names extends string> {
  readonly fields: Readonly<Record<Names, { readonly schema: Schema }>>;
  readonly values: (result: T) => Readonly<Record<Names, string>>;
}

/** As `created`, with secret fields beside those of the resource. */
export const createdWithSecret = <T, R extends Resource, Wire extends object, Names extends string>(
  resourceOf: (result: T) => R,
  view: View<R, Wire>,
  secret: Secret<T, Names>,
): Responder<T, 'one', WithSecret<Wire, Names>> => {
  const viewWithSecret = withSecret(resourceOf, view, secret);
  return {
    status: 201,
    content: 'one',
    view: viewWithSecret,
    noStore: 'always',
    respond: (result, request) => {
      const resource = resourceOf(result);
      const storableBody = JSON.stringify({ data: view.encode(resource) });
      const response = respondCreated(resource, viewWithSecret.encode(result), request);
      return { ...response, headers: { ...response.headers, ...noStore }, storableBody };
    },
  };
};

/** The secret fields are optional, because a replayed response lacks them. */
type WithSecret<Wire, Names extends string> = Wire & { readonly [N in Names]?: string };

const withSecret = <T, R, Wire extends object, Names extends string>(
  resourceOf: (result: T) => R,
  { name, schema, encode }: View<R, Wire>,
  { fields, values }: Secret<T, Names>,
): View<T, WithSecret<Wire, Names>> => {
  const secretSchemas = Object.entries<{ readonly schema: Schema }>(fields).map(
    ([key, field]) => [key, field.schema] as const,
  );
  const title = `New${name}`;
  const properties = { ...schema.properties, ...Object.fromEntries(secretSchemas) };
  return {
    name: title,
    schema: { ...schema, title, properties },
    encode: (result) => ({ ...encode(resourceOf(result)), ...values(result) }),
  };
};

/** 200 with a page of a list, and the cursor of the next page. */
export const page = <T extends Resource, Wire>(view: View<T, Wire>): Responder<Page<T>, 'page', Wire> => ({
  status: 200,
  content: 'page',
  view,
  respond: ({ rows, hasMore }, request) => {
    const { requestPath, canonicalFilter, page, readConditions, expand, expandedOf } = request;
    const { limit } = page;
    requireMatch(readConditions, undefined);
    const last = rows.at(-1);
    const cursor = hasMore && last ? Cursor.encode(listOf(requestPath, canonicalFilter), last.id) : null;
    const body = {
      data: expandedOf === undefined ? rows.map(view.encode) : rows.map((row) => encoded(view, row, request)),
      pagination: { next_cursor: cursor, has_more: hasMore, limit },
      links: {
        next:
          cursor &&
          `${requestPath}?${canonicalFilter}${expand === undefined ? '' : `expand=${expand.join()}&`}limit=${limit}&cursor=${cursor}`,
      },
    };
    return { status: 200, headers: {}, body: JSON.stringify(body) };
  },
});

/** A page of the feed: a reader always learns where to go on, also on the last page. */
export const feedPage = <T extends Resource, Wire>(
  view: View<T, Wire>,
): Responder<Omit<EventPage, 'rows'> & Page<T>, 'page', Wire, true> => ({
  status: 200,
  content: 'page',
  isFeed: true,
  view,
  respond: ({ rows, hasMore, resume }, { requestPath, canonicalFilter, page, readConditions }) => {
    const { limit } = page;
    requireMatch(readConditions, undefined);
    const cursor = FeedCursor.encode(listOf(requestPath, canonicalFilter), resume.feedId, resume.after);
    const link = `${requestPath}?${canonicalFilter}limit=${limit}&cursor=${cursor}`;
    const body = {
      data: rows.map(view.encode),
      pagination: {
        ...{ next_cursor: hasMore ? cursor : null, has_more: hasMore, limit },
        resume_cursor: cursor,
      },
      links: { next: hasMore ? link : null, resume: link },
    };
    return { status: 200, headers: {}, body: JSON.stringify(body) };
  },
});

/** 200 with a list that is short enough for one page, in the form of a last page. */
export const whole = <T, Wire>(
  view: View<T, Wire>,
  maxRows: number,
): Responder<readonly T[], 'whole', Wire> => ({
  status: 200,
  content: 'whole',
  maxRows,
  view,
  respond: (rows, { readConditions }) => {
    requireMatch(readConditions, undefined);
    const body = {
      data: rows.map(view.encode),
      pagination: { next_cursor: null, has_more: false, limit: maxRows },
      links: { next: null },
    };
    return { status: 200, headers: {}, body: JSON.stringify(body) };
  },
});

/** 204 without a body. */
export const noContent: Responder<void, 'nothing', undefined> = {
  status: 204,
  content: 'nothing',
  view: undefined,
  respond: () => ({ status: 204, headers: {}, body: null }),
};
