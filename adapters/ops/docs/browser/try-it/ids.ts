import { idNameOf } from '../samples/index.ts';
import { keep, kept } from './kept.ts';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const isId = (value: unknown): value is string =>
  typeof value === 'string' && value.replace(uuid, '') === '' && value !== '';

/** Lists with resources of the demonstration's customer. Later ones replace ids of earlier ones: a pending order can be paid. */
const demoPaths = [
  '/v1/api-keys?limit=1',
  '/v1/reviews?limit=1',
  '/v1/payments?limit=1',
  '/v1/orders?limit=1',
  '/v1/orders?status=pending&limit=1',
  '/v1/orders/{order_id}/items?limit=1',
  '/v1/products?status=active&limit=1',
];

/** Ids by the names of fields. */
type Ids = Readonly<Record<string, string>>;

interface KeptIds {
  readonly own?: Ids;
  readonly demo?: Ids;
  readonly demoKey?: string;
}

export interface KnownIds {
  /** @param name of a field of a path or body */
  readonly get: (name: string) => string | undefined;
  /** @param data of the response to a request of the reader */
  readonly learn: (url: string, data: unknown) => void;
  /**
   * Sends requests by itself, so that the first forms of the reader have ids of the demonstration. Once for each key: another
   * one belongs to another demonstration, where other ids hold.
   */
  readonly learnFromDemo: (key: string) => Promise<void>;
  readonly subscribe: (listener: () => void) => void;
}

/** Names of one id in paths and bodies. */
const sameAs: Ids = { endpoint_id: 'webhook_endpoint_id' };

/**
 * Remembers the ids in responses, for the requests that need them next, on any page of the reference. Those of the reader's own
 * requests are preferred to those of the demonstration.
 */
export const createIds = (): KnownIds => {
  const listeners = new Set<() => void>();
  let { own = {}, demo = {}, demoKey }: KeptIds = kept('ids') ?? {};

  const notify = () => {
    keep('ids', { own, demo, demoKey });
    for (const listener of listeners) listener();
  };
  const get = (name: string) => own[name] ?? demo[name];

  return {
    get: (name) => get(name) ?? get(sameAs[name] ?? ''),
    learn: (url, data) => {
      own = { ...own, ...idsIn(url, data) };
      notify();
    },
    learnFromDemo: async (key) => {
      if (demoKey === key) return;
      if (demoKey !== undefined) own = {};
      let found: Ids = {};
      for (const path of demoPaths) {
        const url = path.replace(/\{(\w+)\}/, (_braces, name: string) => found[name] ?? '');
        const headers = { Authorization: `Bearer ${key}` };
        const response = await fetch(url, { headers }).catch(() => undefined);
        if (response?.ok) found = { ...found, ...idsIn(url, (await response.json()).data) };
      }
      demo = found;
      demoKey = key;
      notify();
    },
    subscribe: (listener) => listeners.add(listener),
  };
};

/** The ids in the data of a response, by the names that fields have for them. */
const idsIn = (url: string, data: unknown): Ids => {
  const resource: unknown = Array.isArray(data) ? data[0] : data;
  if (typeof resource !== 'object' || resource === null) return {};
  const path = new URL(url, location.href).pathname.replace(uuid, '{id}');
  const fields: readonly (readonly [string, unknown])[] = Object.entries(resource);
  const named = [
    ...fields.filter(([name]) => name.endsWith('_id')),
    ...fields.flatMap(([name, id]) => (name === 'id' ? [[idNameOf(path), id] as const] : [])),
  ];
  return Object.fromEntries(named.flatMap(([name, id]) => (isId(id) ? [[name, id]] : [])));
};

/** Fills ids into a request of one operation, in place of the ids of its example. */
export const idFilling = (ids: Pick<KnownIds, 'get'>, example: unknown) => {
  const examples = new Set<string>(JSON.stringify(example).match(uuid));
  /** What was filled in last, by the place of a field. */
  const written = new Map<string, string>();

  /** @returns the id that a field should have; the value that it has where that is the reader's, or no id is known */
  const fill = (place: string, name: string, value: string): string => {
    const id = ids.get(name);
    const isFree = written.has(place) ? written.get(place) === value : examples.has(value);
    if (id === undefined || !isFree) return value;
    written.set(place, id);
    return id;
  };

  const fillAll = (value: unknown, place = '', name = ''): unknown => {
    if (typeof value === 'string') return fill(place, name, value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value))
      return value.map((item: unknown, index) => fillAll(item, `${place}/${index}`, name));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, fillAll(item, `${place}/${key}`, key)]),
    );
  };

  return {
    fill,
    /** @returns the same value of JSON with known ids */
    fillAll,
    /** Whether a text has an id of the example, which names nothing. */
    hasExample: (text: string): boolean => text.match(uuid)?.some((id) => examples.has(id)) ?? false,
  };
};
