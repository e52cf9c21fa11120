import type { Id, Resource } from '#domain/resource.ts';
import { describeCommits } from '../commits.ts';
import { withField } from '../every-collection.ts';
import { statuses } from '../filters.ts';
import { describeIdempotencyKeys } from '../idempotency-keys.ts';
import { describeRoundTrips } from '../round-trips.ts';
import { describeSeveral } from '../several.ts';
import { describeTexts } from '../texts.ts';
import {
  everyText,
  everyValue,
  storing,
  storingRecords,
  type WrongAdapter,
  wrongCollections,
} from './wrapping.ts';

const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text);

/** Changes every instant. */
const instants = (change: (instant: string) => string) =>
  everyText((text) => (isInstant(text) ? change(text) : text));

const numbers = (change: (value: number) => number) =>
  everyValue((value) => (typeof value === 'number' ? change(value) : value));

const toSeconds = instants((instant) => `${instant.slice(0, 19)}.000Z`);
const last32BitInstant = '2038-01-19T03:14:07.000Z';

const arbitrary = 'return what was stored, for arbitrary texts, amounts, quantities and instants';
const limits = 'return what was stored, at the limits';

/** Adapters that return other values than they were given. */
export const wrongValues: readonly WrongAdapter[] = [
  ['instants that are cut to seconds', () => storing(toSeconds), describeRoundTrips, arbitrary],
  [
    'instants that end in 2038',
    () => storing(instants((instant) => (instant > last32BitInstant ? last32BitInstant : instant))),
    describeRoundTrips,
    arbitrary,
  ],
  [
    'instants of keys that are cut to seconds',
    () => storingRecords(toSeconds),
    describeIdempotencyKeys,
    'are found as they were added, and by no other key or user',
    'are stale when both instants have passed, the longest idle first',
  ],
  [
    'changes that get the time of the database',
    () => {
      const now = (resource: { updatedAt: unknown }) => ({
        ...resource,
        updatedAt: new Date().toISOString(),
      });
      return wrongCollections((right) => ({
        save: (resource) => right.save(now(resource) as typeof resource),
        saveAll: (all) => right.saveAll(all.map((resource) => now(resource) as typeof resource)),
      }));
    },
    describeCommits,
    'reach the database with each collection and key, but not before the unit of work ends',
  ],
  ['numbers as floats of 32 bits', () => storing(numbers(Math.fround)), describeRoundTrips, limits],
  [
    'amounts of 32 bits',
    () => storing(numbers((value) => Math.min(value, 2 ** 31 - 1))),
    describeRoundTrips,
    limits,
  ],
  [
    'quantities in hundredths',
    () =>
      storing((resource) =>
        'quantity' in resource
          ? { ...resource, quantity: Math.floor(Number(resource.quantity) / 10) * 10 }
          : resource,
      ),
    describeRoundTrips,
    limits,
  ],
  [
    'texts in their composed normal form',
    () => storing(everyText((text) => text.normalize('NFC'))),
    describeRoundTrips,
    limits,
  ],
  [
    'texts without characters of four bytes',
    () => storing(everyText((text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?'))),
    describeRoundTrips,
    limits,
  ],
  [
    'texts whose line ends are changed',
    () => storing(everyText((text) => text.replaceAll('\r\n', '\n'))),
    describeRoundTrips,
    limits,
  ],
  [
    'empty texts as null',
    () => storing(everyValue((value) => (value === '' ? null : value))),
    describeSeveral,
    'are returned as they were added, whatever characters they contain',
  ],
  [
    'flags that are always false',
    () => storing(everyValue((value) => (value === true ? false : value))),
    describeRoundTrips,
    limits,
    'return what was stored, in every status',
  ],
  [
    'lists without their last entry',
    () =>
      storing((resource) =>
        'scopes' in resource && Array.isArray(resource.scopes)
          ? { ...resource, scopes: resource.scopes.slice(0, -1) }
          : resource,
      ),
    describeRoundTrips,
    limits,
  ],
  [
    'failures without their messages',
    () =>
      storing((resource) =>
        'failure' in resource && resource.failure !== null ? { ...resource, failure: null } : resource,
      ),
    describeRoundTrips,
    limits,
  ],
  [
    'resources that get a field of the store',
    () =>
      wrongCollections((right) => ({
        add: (resource) => right.add(Object.assign(resource, { _id: resource.id })),
      })),
    describeRoundTrips,
    'return what was stored, with every optional field empty',
  ],
  [
    'versions that the store counts itself',
    () => wrongCollections((right) => ({ add: (resource) => right.add({ ...resource, version: 1 }) })),
    describeRoundTrips,
    'return what was stored, with every optional field empty',
  ],
  [
    'resources that forget when they were made',
    () =>
      wrongCollections((right) => ({
        save: (resource) => right.save({ ...resource, createdAt: resource.updatedAt }),
      })),
    describeCommits,
    'reach the database with each collection and key, but not before the unit of work ends',
  ],
  ...(['addAll', 'saveAll'] as const).map(
    (method): WrongAdapter => [
      `orders behind the 50th that ${method} leaves out`,
      () =>
        wrongCollections((right, name) =>
          name === 'products'
            ? {}
            : { [method]: (all: readonly Resource[]) => right[method](all.slice(0, 50)) },
        ),
      describeSeveral,
      'are of every kind',
    ],
  ),
  ...(['findBy', 'lockBy', 'firstBy'] as const).map(
    (method): WrongAdapter => [
      `values of orders behind the 50th that ${method} leaves out`,
      () =>
        wrongCollections((right, name) =>
          name === 'products'
            ? {}
            : {
                [method]: (field: 'id', values: readonly Id[], limit: number) =>
                  right[method](field, values.slice(0, 50), limit),
              },
        ),
      describeSeveral,
      'are of every kind',
    ],
  ),
  ...(['add', 'addAll', 'save', 'saveAll'] as const).flatMap((way): WrongAdapter[] => [
    [
      `amounts of 32 bits when they come by ${way}`,
      () =>
        storing(
          numbers((value) => Math.min(value, 2 ** 31 - 1)),
          [way],
        ),
      describeRoundTrips,
      limits,
    ],
    [
      `texts that are cut at 1,000 characters when they come by ${way}`,
      () =>
        storing(
          everyText((text) => text.slice(0, 1_000)),
          [way],
        ),
      describeTexts,
      'of resources are returned whole, at their longest',
      'of products and orders are returned whole, with as much as an API request can give them',
    ],
  ]),
  ...Object.entries(statuses).map(
    ([collection, [first]]): WrongAdapter => [
      `${collection} of which each is ${first}`,
      () =>
        wrongCollections((right, name) => {
          const same = (resource: Resource) => withField(resource, 'status', first);
          return name === collection ? { save: (resource) => right.save(same(resource)) } : {};
        }),
      describeRoundTrips,
      'return what was stored, in every status',
    ],
  ),
  [
    'values behind the 999th that are not looked for',
    () =>
      wrongCollections((right) => ({
        findBy: (field, values) => right.findBy(field, values.slice(0, 999)),
      })),
    describeSeveral,
    'are found by more than a thousand values',
  ],
  [
    'values behind the 999th that are not locked',
    () =>
      wrongCollections((right) => ({
        lockBy: (field, values) => right.lockBy(field, values.slice(0, 999)),
      })),
    describeSeveral,
    'are locked by more than a thousand values',
  ],
  [
    'values behind the 999th of which none is first',
    () =>
      wrongCollections((right) => ({
        firstBy: (field, values, limit) => right.firstBy(field, values.slice(0, 999), limit),
      })),
    describeSeveral,
    'are found by more than a thousand values',
  ],
];
