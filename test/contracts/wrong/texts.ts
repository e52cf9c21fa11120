import { conflictIn } from '#application/conflicts.ts';
import type { Resource } from '#domain/resource.ts';
import { uniqueFields, withField } from '../every-collection.ts';
import { type TextField, textFields } from '../filters.ts';
import type { Harness } from '../harness.ts';
import { describeTexts } from '../texts.ts';
import {
  storing,
  storingRecords,
  type WrongAdapter,
  withMethods,
  wrongCollections,
  wrongKeys,
  wrongRepositories,
} from './wrapping.ts';

/** Makes texts that are the same for a store the same text: the first of them that it has seen. */
const sameText = (same: (text: string) => string) => {
  const first = new Map<string, string>();
  return <T extends string | null>(text: T): T => {
    if (text === null) return text;
    const known = first.get(same(text)) ?? text;
    first.set(same(text), known);
    return known as T;
  };
};

/** Idempotency keys that are compared as their normal forms. */
const keysBy = (normalForm: (key: string) => string) => (): Promise<Harness> => {
  const same = sameText(normalForm);
  return wrongKeys((right) => ({
    find: (userId, key) => right.find(userId, same(key)),
    lock: (userId, key) => right.lock(userId, same(key)),
    remove: (userId, key) => right.remove(userId, same(key)),
    add: (record) => right.add({ ...record, key: same(record.key) }),
    save: (record) => right.save({ ...record, key: same(record.key) }),
  }));
};

const skusBy = (normalForm: (sku: string) => string) => (): Promise<Harness> => {
  const same = sameText(normalForm);
  return wrongRepositories(({ products }) => ({
    products: withMethods(products, {
      add: (product) => products.add({ ...product, sku: same(product.sku) }),
      addAll: (all) => products.addAll(all.map((product) => ({ ...product, sku: same(product.sku) }))),
      save: (product) => products.save({ ...product, sku: same(product.sku) }),
      saveAll: (all) => products.saveAll(all.map((product) => ({ ...product, sku: same(product.sku) }))),
    }),
  }));
};

/** User e-mail addresses that become others when they are added. */
const addressesAs = (change: (email: string) => string): Promise<Harness> =>
  wrongRepositories(({ users }) => ({
    users: withMethods(users, {
      add: (user) => users.add({ ...user, email: change(user.email) }),
      addAll: (all) => users.addAll(all.map((user) => ({ ...user, email: change(user.email) }))),
    }),
  }));

/** Lists that are filtered by texts without case: they have others too. */
const filtersWithoutCase = (): Promise<Harness> =>
  wrongCollections((right) => ({
    findBy: async (field, values) => {
      const all = (await right.page({}, { limit: 1_000 })).rows;
      const wanted = new Set(values.map(lowerCase));
      return all.filter((row) => wanted.has(lowerCase(`${Reflect.get(row, field)}`)));
    },
  }));

/** A unique field of which two values that differ in case are one. */
const uniqueWithoutCase = ({ collection, field }: TextField): Promise<Harness> =>
  wrongCollections((right, name) => {
    if (name !== collection) return {};
    const given = (resource: Resource): unknown => Reflect.get(resource, field);
    const rejectTaken = async (resources: readonly Resource[]): Promise<void> => {
      const { rows } = await right.page({}, { limit: 10_000 });
      for (const resource of resources) {
        const isSame = (row: Resource) =>
          row.id !== resource.id && lowerCase(`${given(row)}`) === lowerCase(`${given(resource)}`);
        if (given(resource) !== null && rows.some(isSame)) throw conflictIn(collection, field);
      }
    };
    const checked =
      (write: (all: readonly Resource[]) => Promise<void>) => async (all: readonly Resource[]) => {
        await rejectTaken(all);
        await write(all);
      };
    return {
      add: (resource) => checked(([one = resource]) => right.add(one))([resource]),
      addAll: checked((all) => right.addAll(all)),
      save: (resource) => checked(([one = resource]) => right.save(one))([resource]),
      saveAll: checked((all) => right.saveAll(all)),
    };
  });

/** A field by whose values those that differ in case are found too. */
const foundWithoutCase = ({ collection, field }: TextField): Promise<Harness> =>
  wrongCollections((right, name) => {
    if (name !== collection) return {};
    const spellings = async (values: readonly string[]): Promise<string[]> => {
      const wanted = new Set(values.map(lowerCase));
      const { rows } = await right.page({}, { limit: 10_000 });
      const all = rows.map((row): unknown => Reflect.get(row, field));
      return all.filter((value) => typeof value === 'string' && wanted.has(lowerCase(value))) as string[];
    };
    return {
      findBy: async (by, values) => right.findBy(by, by === field ? await spellings(values) : values),
      lockBy: async (by, values) => right.lockBy(by, by === field ? await spellings(values) : values),
    };
  });

/** A resource whose longest value lacks its last character. */
const withoutLastOf =
  ({ field, longest }: TextField) =>
  (resource: Resource): Resource => {
    const value: unknown = Reflect.get(resource, field);
    const isLong = typeof value === 'string' && [...value].length === [...longest].length;
    return isLong ? withField(resource, field, [...value].slice(0, -1).join('')) : resource;
  };

const lowerCase = (text: string): string => text.toLowerCase();
const withoutAccents = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '');
const cutAt = (length: number) => (text: string) => text.slice(0, length);

/** As much of a text as a column of this many bytes has room for. */
const cutAtBytes = (bytes: number) => (text: string) => {
  const kept = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, kept.read);
};

const responsesAs = (change: (response: string) => string, by?: readonly ('add' | 'save')[]) => () =>
  storingRecords((record) => ({ ...record, response: record.response && change(record.response) }), by);

/** A response as a column for JSON returns it, without what the store does not know. */
const asJson = (text: string): string => {
  try {
    const { headers, ...rest } = JSON.parse(text);
    return JSON.stringify(rest);
  } catch {
    return text;
  }
};

const reformatted = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
};

const keysApart = 'of idempotency keys are compared code point by code point';
const nameOf = ({ collection, field }: TextField): string => `${collection}.${field}`;
const apart = (field: TextField): string => `of ${nameOf(field)} are compared code point by code point`;
const isUnique = ({ collection, field }: TextField): boolean =>
  uniqueFields.some((unique) => unique.collection === collection && unique.field === field);
const skusApart = 'of products.sku are compared code point by code point';
const addressesApart = 'of users.email are compared code point by code point';
const responsesWhole = 'of stored responses are returned whole, up to 100,000 characters';
const recordsWhole = 'of idempotency records are returned whole, at their longest';
const responsesUnread = 'of stored responses are returned as they were stored, although they are JSON';

/** Adapters that compare, cut or change texts. */
export const wrongTexts: readonly WrongAdapter[] = [
  ['keys that are compared without case', keysBy(lowerCase), describeTexts, keysApart],
  ['keys that are compared without accents', keysBy(withoutAccents), describeTexts, keysApart],
  ['keys whose spaces at the end are ignored', keysBy((key) => key.trimEnd()), describeTexts, keysApart],
  [
    'keys that are cut at 16 characters',
    keysBy(cutAt(16)),
    describeTexts,
    'of idempotency keys are compared up to the last of 255 characters',
  ],
  [
    'keys that are cut at 255 bytes',
    keysBy(cutAtBytes(255)),
    describeTexts,
    'of idempotency keys are compared up to the last of 255 characters',
  ],
  ...textFields.flatMap((field): WrongAdapter[] => [
    [
      `values of ${nameOf(field)} that are found without case`,
      () => foundWithoutCase(field),
      describeTexts,
      apart(field),
    ],
    ...(isUnique(field)
      ? [
          [
            `values of ${nameOf(field)} that are unique without case`,
            () => uniqueWithoutCase(field),
            describeTexts,
            apart(field),
          ] satisfies WrongAdapter,
        ]
      : []),
    ...(['add', 'addAll', 'save', 'saveAll'] as const).map(
      (way): WrongAdapter => [
        `values of ${nameOf(field)} that lose their last character when they come by ${way}`,
        () => storing(withoutLastOf(field), [way]),
        describeTexts,
        `of ${nameOf(field)} are compared and returned up to the last character`,
      ],
    ),
  ]),
  [
    'SKUs that are compared in their compatible normal form',
    skusBy((sku) => sku.normalize('NFKC')),
    describeTexts,
    skusApart,
  ],
  ['SKUs whose spaces at the end are ignored', skusBy((sku) => sku.trimEnd()), describeTexts, skusApart],
  [
    'SKUs that are cut at 63 characters',
    skusBy((sku) => [...sku].slice(0, 63).join('')),
    describeTexts,
    'of products.sku are compared and returned up to the last character',
  ],
  ['lists that are filtered without case', filtersWithoutCase, describeTexts, skusApart],
  [
    'addresses that are compared without case',
    () => addressesAs(sameText(lowerCase)),
    describeTexts,
    addressesApart,
  ],
  ['addresses that are stored in small letters', () => addressesAs(lowerCase), describeTexts, addressesApart],
  [
    'addresses that are cut at 64 characters',
    () => addressesAs(cutAt(64)),
    describeTexts,
    'of users.email are compared and returned up to the last character',
  ],
  ['responses that are cut at 100 characters', responsesAs(cutAt(100)), describeTexts, responsesWhole],
  ['responses that are cut at 65,535 bytes', responsesAs(cutAtBytes(65_535)), describeTexts, responsesWhole],
  ...(['add', 'save'] as const).flatMap((way): WrongAdapter[] => [
    [
      `responses that are cut at 60,000 characters when they come by ${way}`,
      responsesAs(cutAt(60_000), [way]),
      describeTexts,
      responsesWhole,
    ],
    [
      `responses that are parsed and written anew when they come by ${way}`,
      responsesAs(reformatted, [way]),
      describeTexts,
      responsesUnread,
    ],
    [
      `fingerprints that are cut at 32 characters when they come by ${way}`,
      () => storingRecords((record) => ({ ...record, fingerprint: cutAt(32)(record.fingerprint) }), [way]),
      describeTexts,
      recordsWhole,
    ],
    [
      `paths that are cut at 255 characters when they come by ${way}`,
      () =>
        storingRecords(
          ({ resource, ...record }) => ({
            ...record,
            resource: resource && { ...resource, path: cutAt(255)(resource.path) },
          }),
          [way],
        ),
      describeTexts,
      recordsWhole,
    ],
  ]),
  ['responses that lose their headers', responsesAs(asJson), describeTexts, responsesUnread],
  ['responses that are parsed and written anew', responsesAs(reformatted), describeTexts, responsesUnread],
  [
    'fingerprints that are cut at 32 characters',
    () => storingRecords((record) => ({ ...record, fingerprint: record.fingerprint.slice(0, 32) })),
    describeTexts,
    recordsWhole,
  ],
  [
    'descriptions that are cut at 255 characters',
    () =>
      storing((resource) =>
        'description' in resource && typeof resource.description === 'string'
          ? { ...resource, description: cutAt(255)(resource.description) }
          : resource,
      ),
    describeTexts,
    'of resources are returned whole, at their longest',
  ],
  [
    'leases whose names are compared without case',
    () =>
      wrongRepositories(({ leases }) => ({
        leases: {
          acquire: (lease, now) => leases.acquire({ ...lease, name: lowerCase(lease.name) }, now),
        },
      })),
    describeTexts,
    'of leases are compared code point by code point',
  ],
  [
    'leases whose holders are compared without case',
    () =>
      wrongRepositories(({ leases }) => ({
        leases: {
          acquire: (lease, now) => leases.acquire({ ...lease, holder: lowerCase(lease.holder) }, now),
        },
      })),
    describeTexts,
    'of leases are compared code point by code point',
  ],
];
