import { type Common, commonOf } from './common.ts';
import {
  type Document,
  type Operation,
  readOperations,
  readWebhooks,
  resolveSchema,
  type Schema,
  schemaName,
} from './document.ts';
import type { FindObject } from './field-list.ts';
import { capitalized, wordsOf } from './fields.ts';
import type { Highlight } from './highlight.ts';

/** A page of the reference: the operations of one tag, and the objects that they return. */
export interface Chapter {
  readonly tag: string;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  readonly operations: readonly Operation[];
  readonly objects: readonly ApiObject[];
}

/** A resource of the API, described once. */
export interface ApiObject {
  readonly id: string;
  readonly title: string;
  readonly schema: Schema;
  readonly example: unknown;
}

export interface Reference {
  readonly document: Document;
  readonly chapters: readonly Chapter[];
  /** Requests that Portico sends. */
  readonly webhooks: readonly Operation[];
  readonly findObject: FindObject;
  readonly highlight: Highlight;
  readonly common: Common;
}

/** What all operations have in common. */
export const overviewPath = '/docs';

export const webhooksPath = '/docs/reference/webhooks';

const chapterPath = (tag: string): string => `/docs/reference/${tag}`;

/** @returns where an operation is described */
export const operationHref = ({ tag, id }: Operation): string => `${chapterPath(tag)}#${id}`;

/** Arranges an OpenAPI document into pages, in the order in which its paths name the tags. */
export const readReference = (document: Document, highlight: Highlight): Reference => {
  const operations = readOperations(document);
  const byTag = Map.groupBy(operations, ({ tag }) => tag);
  const described = new Map(document.tags?.map(({ name, description = '' }) => [name, description]));
  const chapters = [...byTag].map(([tag, operations]) => ({
    ...{ tag, path: chapterPath(tag), title: titleOf(tag), operations },
    description: described.get(tag) ?? '',
    objects: objectsOf(document, operations),
  }));
  const places = new Map(
    chapters.flatMap(({ path, objects }) =>
      objects.map(({ id, title }) => [id, { href: `${path}#${id}`, title: `The ${title} object` }] as const),
    ),
  );
  return {
    ...{ document, chapters, highlight },
    common: commonOf(operations),
    webhooks: readWebhooks(document),
    findObject: (schema) => places.get(objectId(schema)),
  };
};

const titleOf = (tag: string): string => capitalized(wordsOf(tag.replaceAll('-', ' ')));

/** An object and the form of it that can hold others have one place. */
const objectId = (schema: string): string => `object-${schema.replace(/^Expandable/, '')}`;

/** The objects that responses hold as their data. */
const objectsOf = (document: Document, operations: readonly Operation[]): readonly ApiObject[] => {
  const found = new Map<string, ApiObject>();
  for (const { responses } of operations) {
    for (const { schema = {}, example } of responses) {
      const data = resolveSchema(document, schema).properties?.['data'] ?? {};
      const object = schemaName(data) ? data : (data.items ?? {});
      const name = schemaName(object);
      if (name === undefined) continue;
      const id = objectId(name);
      const value = dataOf(example);
      if (!found.has(id))
        found.set(id, {
          id,
          title: wordsOf(name),
          schema: object,
          example: value,
        });
    }
  }
  return [...found.values()];
};

const dataOf = (example: unknown): unknown => {
  const data =
    example !== null && typeof example === 'object' && 'data' in example ? example.data : undefined;
  return Array.isArray(data) ? data[0] : data;
};

/** The API's address for its clients; '' where the server cannot know it. */
export const originOf = ({ document }: Reference): string => document.servers?.[0]?.url ?? '';
