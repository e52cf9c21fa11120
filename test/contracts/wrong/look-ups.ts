import type { LookUp, LookUpStore } from '#application/ports/look-ups.ts';
import { describeLookUps } from '../look-ups.ts';
import { type WrongAdapter, withMethods, wrongRepositories } from './wrapping.ts';

/** A memory store whose look-ups have some other methods. */
const wrongLookUps = (wrap: (right: LookUpStore) => Partial<LookUpStore>) =>
  wrongRepositories(({ lookUps: right }) => ({ lookUps: withMethods(right, wrap(right)) }));

/** A look-up with the events and times that it has by now. */
const current = async (right: LookUpStore, lookUp: LookUp): Promise<LookUp> =>
  (await right.find(lookUp.provider, lookUp)) ?? lookUp;

/** Adapters that lose look-ups, or make them twice. */
export const wrongLookUpStores: readonly WrongAdapter[] = [
  [
    'look-ups that every process gets',
    () => wrongLookUps((right) => ({ take: async (...taken) => (await right.take(...taken)) || true })),
    describeLookUps,
    'are taken once as they were read, and are due later then',
    'are taken by one of twenty processes that have read the same',
  ],
  [
    'look-ups that are removed although an event has named their place',
    () => wrongLookUps((right) => ({ remove: async (lookUp) => right.remove(await current(right, lookUp)) })),
    describeLookUps,
    'stay when an event names their place while they are made',
    'stay when they were removed and asked for anew while they are made',
  ],
  [
    'look-ups that are postponed although an event has named their place',
    () =>
      wrongLookUps((right) => ({
        postpone: async (lookUp, dueAt) => right.postpone(await current(right, lookUp), dueAt),
      })),
    describeLookUps,
    'stay when an event names their place while they are made',
  ],
  [
    'events that wait for the next look-up',
    () =>
      wrongLookUps((right) => ({
        note: async (provider, place, at) => {
          if ((await right.find(provider, place)) === undefined) await right.note(provider, place, at);
        },
      })),
    describeLookUps,
    'are due at once, as if never made, when an event names their place',
    'count each of twenty events that arrive at once',
  ],
  [
    'look-ups of every provider in any order',
    () =>
      wrongLookUps((right) => ({
        due: async (...query) => (await right.due(...query)).toReversed(),
      })),
    describeLookUps,
    'are listed when they are due, the longest due first, those of one provider alone',
  ],
  [
    'following that begins anew',
    () =>
      wrongLookUps((right) => ({
        follow: async (provider, place, dueAt, at) => {
          const known = await right.find(provider, place);
          if (known !== undefined) await right.remove(known);
          await right.follow(provider, place, dueAt, at);
        },
      })),
    describeLookUps,
    'of a place that is followed are due when it is said, and stay as they are when it is followed again',
  ],
  [
    'news that are read until an earlier time again',
    () => {
      const read = new Map<string, Parameters<LookUpStore['readNewsUntil']>[1]>();
      return wrongLookUps(() => ({
        readNewsUntil: async (provider, until) => {
          read.set(provider, until);
        },
        newsReadUntil: async (provider) => read.get(provider),
      }));
    },
    describeLookUps,
    'remember until when the list of events of each provider was read, and the latest time',
  ],
];
