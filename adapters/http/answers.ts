import type { Page } from '#application/page.ts';
import type { Resource } from '#domain/resource.ts';
import type { Asked } from './asked.ts';
import { Cursor } from './cursor.ts';
import { entityTag, isNamed } from './entity-tag.ts';
import type { Reply } from './reply.ts';
import type { View } from './view.ts';

/** What a route answers when all went well. */
export interface Answer<T> {
  readonly status: 200 | 201 | 204;
  /** What is in it: one of something, a page of them, or nothing. */
  readonly shows: 'one' | 'page' | 'nothing';
  /** What it is one or a page of, and how that looks; undefined when it shows nothing. */
  readonly shown: Pick<View<never>, 'name' | 'schema'> | undefined;
  readonly present: (result: T, asked: Asked) => Reply;
}

/** One resource, or 304 when the client has this version of it. */
export const one = <T extends Resource>(view: View<T, object>): Answer<T> => ({
  status: 200,
  shows: 'one',
  shown: view,
  present: (resource, { ifNoneMatch }) => {
    const ETag = entityTag(resource.version);
    if (isNamed(ETag, ifNoneMatch)) return { status: 304, headers: { ETag }, body: null };
    return { status: 200, headers: { ETag }, body: JSON.stringify({ data: view.write(resource) }) };
  },
});

/** A resource that was not there before, and where it is now: behind its collection. */
export const created = <T extends Resource>(view: View<T, object>): Answer<T> =>
  createdWithSecret((each) => each, view);

/**
 * As `created`, for a result that holds more than a resource: something that is shown now and never again.
 * @param secret what is not even remembered for a repetition of the request
 */
export const createdWithSecret = <T, R extends Resource>(
  resourceOf: (result: T) => R,
  view: View<R, object>,
  secret: Secret<T> = noSecret,
): Answer<T> => ({
  status: 201,
  shows: 'one',
  shown: withSecret(view, secret),
  present: (result, { address }) => {
    const resource = resourceOf(result);
    const data = view.write(resource);
    return {
      status: 201,
      headers: { ETag: entityTag(resource.version), Location: `${address}/${resource.id}` },
      body: JSON.stringify({ data: { ...data, ...secret.of(result) } }),
      memorable: JSON.stringify({ data }),
    };
  },
});

/** Texts that are shown once. */
interface Secret<T> {
  /** What each of them is, by its name. */
  readonly says: Readonly<Record<string, string>>;
  readonly of: (result: T) => Readonly<Record<string, string>>;
}

const noSecret: Secret<unknown> = { says: {}, of: () => ({}) };

/** They are not there when the answer is given again, so nobody can count on them. */
const withSecret = <R>(
  { name, schema }: View<R>,
  { says }: Pick<Secret<never>, 'says'>,
): Answer<R>['shown'] => {
  const secrets = Object.entries(says).map(([key, description]) => [key, { type: 'string', description }]);
  if (secrets.length === 0) return { name, schema };
  const properties = { ...schema.properties, ...Object.fromEntries(secrets) };
  return { name: `New${name}`, schema: { ...schema, properties } };
};

/** A page of a list, and the way to the next. */
export const many = <T extends Resource>(view: View<T, object>): Answer<Page<T>> => ({
  status: 200,
  shows: 'page',
  shown: view,
  present: ({ rows, hasMore }, { address, filterText, page: { limit } }) => {
    const last = rows.at(-1);
    const cursor = hasMore && last ? Cursor.write(`${address}?${filterText}`, last.id) : null;
    const body = {
      data: rows.map(view.write),
      pagination: { next_cursor: cursor, has_more: hasMore, limit },
      links: { next: cursor && `${address}?${filterText}limit=${limit}&cursor=${cursor}` },
    };
    return { status: 200, headers: {}, body: JSON.stringify(body) };
  },
});

/** Done, and there is nothing to show. */
export const nothing: Answer<void> = {
  status: 204,
  shows: 'nothing',
  shown: undefined,
  present: () => ({ status: 204, headers: {}, body: null }),
};
