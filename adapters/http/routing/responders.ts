import type { Schema } from '#adapters/wire/json-schema.ts';
import type { View } from '#adapters/wire/view.ts';
import type { Page } from '#application/page.ts';
import type { Resource } from '#domain/resource.ts';
import type { ApiResponse } from '../request/response.ts';
import { Cursor } from './cursor.ts';
import { entityTag, matchesIfNoneMatch } from './etag.ts';
import type { ParsedRequest } from './parsed-request.ts';

/** What a route answers when all went well, and whether that is one of something, a page of them, or nothing. */
export interface Responder<
  T,
  Shows extends 'one' | 'page' | 'nothing' = 'one' | 'page' | 'nothing',
  Wire = unknown,
> {
  readonly status: 200 | 201 | 204;
  readonly content: Shows;
  /** How what it is one or a page of looks; undefined when it shows nothing. */
  readonly view: View<never, Wire> | undefined;
  readonly respond: (result: T, asked: ParsedRequest) => ApiResponse;
}

/** One resource, or 304 when the client has this version of it. */
export const ok = <T extends Resource, Wire>(view: View<T, Wire>): Responder<T, 'one', Wire> => ({
  status: 200,
  content: 'one',
  view,
  respond: (resource, { ifNoneMatch }) => {
    const ETag = entityTag(resource.version);
    if (matchesIfNoneMatch(ETag, ifNoneMatch)) return { status: 304, headers: { ETag }, body: null };
    return { status: 200, headers: { ETag }, body: JSON.stringify({ data: view.encode(resource) }) };
  },
});

/** A resource that was not there before, and where it is now: behind its collection. */
export const created = <T extends Resource, Wire>(view: View<T, Wire>): Responder<T, 'one', Wire> => ({
  status: 201,
  content: 'one',
  view,
  respond: (resource, asked) => respondCreated(resource, view.encode(resource), asked),
});

const respondCreated = (
  { id, version }: Resource,
  data: unknown,
  { requestPath: address }: ParsedRequest,
): ApiResponse => ({
  status: 201,
  headers: { ETag: entityTag(version), Location: `${address}/${id}` },
  body: JSON.stringify({ data }),
});

/** Texts that are shown once, and not even remembered for a repetition of the request. */
interface Secret<T, Names extends string> {
  /** What each of them is, by its name. */
  readonly fields: Readonly<Record<Names, { readonly schema: Schema }>>;
  readonly values: (result: T) => Readonly<Record<Names, string>>;
}

/** As `created`, for a result that holds more than a resource. */
export const createdWithSecret = <T, R extends Resource, Wire extends object, Names extends string>(
  resourceOf: (result: T) => R,
  view: View<R, Wire>,
  secret: Secret<T, Names>,
): Responder<T, 'one', WithSecret<Wire, Names>> => {
  const shown = withSecret(resourceOf, view, secret);
  return {
    status: 201,
    content: 'one',
    view: shown,
    respond: (result, asked) => {
      const resource = resourceOf(result);
      const memorable = JSON.stringify({ data: view.encode(resource) });
      return { ...respondCreated(resource, shown.encode(result), asked), storableBody: memorable };
    },
  };
};

/** The secrets are not there when the answer is given again, so nobody can count on them. */
type WithSecret<Wire, Names extends string> = Wire & { readonly [N in Names]?: string };

const withSecret = <T, R, Wire extends object, Names extends string>(
  resourceOf: (result: T) => R,
  { name, schema, encode: write }: View<R, Wire>,
  { fields: says, values: of }: Secret<T, Names>,
): View<T, WithSecret<Wire, Names>> => {
  const secrets = Object.entries<{ readonly schema: Schema }>(says).map(([key, one]) => [key, one.schema]);
  const title = `New${name}`;
  const properties = { ...schema.properties, ...Object.fromEntries(secrets) };
  return {
    name: title,
    schema: { ...schema, title, properties },
    encode: (result) => ({ ...write(resourceOf(result)), ...of(result) }),
  };
};

/** A page of a list, and the way to the next. */
export const page = <T extends Resource, Wire>(view: View<T, Wire>): Responder<Page<T>, 'page', Wire> => ({
  status: 200,
  content: 'page',
  view,
  respond: ({ rows, hasMore }, { requestPath: address, canonicalFilter: filterText, page: { limit } }) => {
    const last = rows.at(-1);
    const cursor = hasMore && last ? Cursor.encode(`${address}?${filterText}`, last.id) : null;
    const body = {
      data: rows.map(view.encode),
      pagination: { next_cursor: cursor, has_more: hasMore, limit },
      links: { next: cursor && `${address}?${filterText}limit=${limit}&cursor=${cursor}` },
    };
    return { status: 200, headers: {}, body: JSON.stringify(body) };
  },
});

/** Done, and there is nothing to show. */
export const noContent: Responder<void, 'nothing', undefined> = {
  status: 204,
  content: 'nothing',
  view: undefined,
  respond: () => ({ status: 204, headers: {}, body: null }),
};
