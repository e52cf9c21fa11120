import type { Place } from '#application/ports/charge-lifecycle.ts';
import type { LookUp, LookUpStore } from '#application/ports/reconciliation-tasks.ts';
import type { Instant } from '#domain/instant.ts';
import { describeLookUps } from '../reconciliation-tasks.ts';
import { type WrongAdapter, withMethods, wrongInWork, wrongRepositories } from './wrapping.ts';

/** A memory store whose look-ups have some other methods. */
const wrongLookUps = (wrap: (right: LookUpStore) => Partial<LookUpStore>) =>
  wrongRepositories(({ lookUps: right }) => ({ lookUps: withMethods(right, wrap(right)) }));

/** A look-up with the events and times that it has by now. */
const current = async (right: LookUpStore, lookUp: LookUp): Promise<LookUp> =>
  (await right.find(lookUp.provider, lookUp)) ?? lookUp;

/** A unit of work finds what was committed, and what it has noted itself only where nothing was. */
const ownLookUpsOverlooked = () =>
  wrongInWork(({ lookUps: right }) => {
    const own = new Set<string>();
    const isOwn = ({ reference }: Place) => own.has(reference);
    const committed = async (provider: string, now: Instant) =>
      (await right.due(provider, now, 1_000)).filter((each) => !isOwn(each));
    return {
      lookUps: withMethods(right, {
        note: async (provider, place, at) => {
          if ((await right.find(provider, place)) === undefined) own.add(place.reference);
          await right.note(provider, place, at);
        },
        due: async (provider, now, limit) => {
          const found = await committed(provider, now);
          return found.length > 0 ? found.slice(0, limit) : right.due(provider, now, limit);
        },
      }),
    };
  });

const takenOnce = 'are taken once as they were read, and are due later then';

/** Adapters that lose look-ups, or make them twice. */
export const wrongLookUpStores: readonly WrongAdapter[] = [
  [
    'look-ups that every process gets',
    () => wrongLookUps((right) => ({ take: async (...taken) => (await right.take(...taken)) || true })),
    describeLookUps,
    takenOnce,
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
  [
    'providers without those whose look-ups were all taken once',
    () => {
      const untried = new Set<string>();
      return wrongLookUps((right) => ({
        note: (provider, place, at) => {
          untried.add(provider);
          return right.note(provider, place, at);
        },
        follow: (provider, place, dueAt, at) => {
          untried.add(provider);
          return right.follow(provider, place, dueAt, at);
        },
        take: (lookUp, now, dueAt) => {
          untried.delete(lookUp.provider);
          return right.take(lookUp, now, dueAt);
        },
        providers: async () => (await right.providers()).filter((name) => untried.has(name)),
      }));
    },
    describeLookUps,
    'name each provider once',
  ],
  [
    'providers whose look-ups are all gone',
    () => {
      const names = new Set<string>();
      return wrongLookUps((right) => ({
        note: (provider, place, at) => {
          names.add(provider);
          return right.note(provider, place, at);
        },
        providers: async () => [...new Set([...names, ...(await right.providers())])],
      }));
    },
    describeLookUps,
    'name each provider once',
  ],
  [
    'look-ups that keep for good when they were first taken',
    () => {
      const first = new Map<string, Instant>();
      return wrongLookUps((right) => ({
        take: (lookUp, now, dueAt) => {
          const key = `${lookUp.provider} ${lookUp.reference}`;
          if (!first.has(key)) first.set(key, now);
          return right.take(lookUp, first.get(key) ?? now, dueAt);
        },
      }));
    },
    describeLookUps,
    takenOnce,
  ],
  [
    'look-ups that are taken a second time at the time of the first',
    () => {
      const first = new Map<string, Instant>();
      return wrongLookUps((right) => ({
        take: (lookUp, now, dueAt) => {
          const key = `${lookUp.provider} ${lookUp.reference}`;
          if (!first.has(key)) first.set(key, dueAt);
          return right.take(lookUp, now, first.get(key) ?? dueAt);
        },
      }));
    },
    describeLookUps,
    takenOnce,
  ],
  [
    'look-ups that are postponed once at most',
    () => {
      const postponed = new Set<string>();
      return wrongLookUps((right) => ({
        postpone: async (lookUp, dueAt) => {
          const key = `${lookUp.provider} ${lookUp.reference}`;
          if (!postponed.has(key)) await right.postpone(lookUp, dueAt);
          postponed.add(key);
        },
      }));
    },
    describeLookUps,
    'are postponed as if never made, and keep everything else',
  ],
  [
    'references that are cut at 100 characters when their places are followed',
    () =>
      wrongLookUps((right) => ({
        follow: (provider, { kind, reference }, dueAt, at) =>
          right.follow(provider, { kind, reference: reference.slice(0, 100) }, dueAt, at),
      })),
    describeLookUps,
    'are found by the longest reference, code point by code point',
  ],
  [
    'lists of at most 100 look-ups',
    () =>
      wrongLookUps((right) => ({
        due: (provider, now, limit) => right.due(provider, now, Math.min(limit, 100)),
      })),
    describeLookUps,
    'are listed as many as were asked for',
  ],
  [
    'look-ups of a unit of work that it does not find beside others',
    ownLookUpsOverlooked,
    describeLookUps,
    'are found as a unit of work has left them, together with what was committed',
  ],
];
