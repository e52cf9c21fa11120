import type { ProviderObject } from '#application/ports/charge-lifecycle.ts';
import type { ReconciliationTask, ReconciliationTaskStore } from '#application/ports/reconciliation-tasks.ts';
import type { Instant } from '#domain/instant.ts';
import { describeReconciliationTasks } from '../reconciliation-tasks.ts';
import { type WrongAdapter, withMethods, wrongInWork, wrongRepositories } from './wrapping.ts';

/** A memory store whose tasks have some other methods. */
const wrongReconciliationTasks = (
  wrap: (right: ReconciliationTaskStore) => Partial<ReconciliationTaskStore>,
) =>
  wrongRepositories(({ reconciliationTasks: right }) => ({
    reconciliationTasks: withMethods(right, wrap(right)),
  }));

/** A task with the events and times that it has by now. */
const current = async (
  right: ReconciliationTaskStore,
  task: ReconciliationTask,
): Promise<ReconciliationTask> => (await right.find(task.provider, task)) ?? task;

/** A unit of work finds what was committed, and what it has noted itself only where nothing was. */
const ownLookUpsOverlooked = () =>
  wrongInWork(({ reconciliationTasks: right }) => {
    const own = new Set<string>();
    const isOwn = ({ reference }: ProviderObject) => own.has(reference);
    const committed = async (provider: string, now: Instant) =>
      (await right.listDue(provider, now, 1_000)).filter((each) => !isOwn(each));
    return {
      reconciliationTasks: withMethods(right, {
        enqueue: async (provider, providerObject, at) => {
          if ((await right.find(provider, providerObject)) === undefined) own.add(providerObject.reference);
          await right.enqueue(provider, providerObject, at);
        },
        listDue: async (provider, now, limit) => {
          const found = await committed(provider, now);
          return found.length > 0 ? found.slice(0, limit) : right.listDue(provider, now, limit);
        },
      }),
    };
  });

const claimedOnce = 'are claimed once as they were read, and are due later then';

/** Adapters that lose tasks, or make them twice. */
export const wrongReconciliationTaskStores: readonly WrongAdapter[] = [
  [
    'tasks that every process claims',
    () =>
      wrongReconciliationTasks((right) => ({
        claim: async (...claimed) => (await right.claim(...claimed)) || true,
      })),
    describeReconciliationTasks,
    claimedOnce,
    'are claimed by one of twenty processes that have read the same',
  ],
  [
    'tasks that are removed although an event has named their object',
    () =>
      wrongReconciliationTasks((right) => ({
        remove: async (task) => right.remove(await current(right, task)),
      })),
    describeReconciliationTasks,
    'stay when an event names their object while they are attempted',
    'stay when they were removed and asked for anew while they are attempted',
  ],
  [
    'tasks that are postponed although an event has named their object',
    () =>
      wrongReconciliationTasks((right) => ({
        postpone: async (task, dueAt) => right.postpone(await current(right, task), dueAt),
      })),
    describeReconciliationTasks,
    'stay when an event names their object while they are attempted',
  ],
  [
    'events that wait for the next attempt',
    () =>
      wrongReconciliationTasks((right) => ({
        enqueue: async (provider, providerObject, at) => {
          if ((await right.find(provider, providerObject)) === undefined)
            await right.enqueue(provider, providerObject, at);
        },
      })),
    describeReconciliationTasks,
    'are due at once, as if never attempted, when an event names their object',
    'count each of twenty events that arrive at once',
  ],
  [
    'tasks of every provider in any order',
    () =>
      wrongReconciliationTasks((right) => ({
        listDue: async (...query) => (await right.listDue(...query)).toReversed(),
      })),
    describeReconciliationTasks,
    'are listed when they are due, the longest due first, those of one provider alone',
  ],
  [
    'following that begins anew',
    () =>
      wrongReconciliationTasks((right) => ({
        schedule: async (provider, providerObject, dueAt, at) => {
          const known = await right.find(provider, providerObject);
          if (known !== undefined) await right.remove(known);
          await right.schedule(provider, providerObject, dueAt, at);
        },
      })),
    describeReconciliationTasks,
    'that are scheduled are due at their time, and stay as they are when they are scheduled again',
  ],
  [
    'positions that are read until an earlier time again',
    () => {
      const read = new Map<string, Parameters<ReconciliationTaskStore['saveEventsReadUntil']>[1]>();
      return wrongReconciliationTasks(() => ({
        saveEventsReadUntil: async (provider, until) => {
          read.set(provider, until);
        },
        eventsReadUntil: async (provider) => read.get(provider),
      }));
    },
    describeReconciliationTasks,
    'remember until when the list of events of each provider was read, and the latest time',
  ],
  [
    'providers without those whose tasks were all claimed once',
    () => {
      const untried = new Set<string>();
      return wrongReconciliationTasks((right) => ({
        enqueue: (provider, providerObject, at) => {
          untried.add(provider);
          return right.enqueue(provider, providerObject, at);
        },
        schedule: (provider, providerObject, dueAt, at) => {
          untried.add(provider);
          return right.schedule(provider, providerObject, dueAt, at);
        },
        claim: (task, now, dueAt) => {
          untried.delete(task.provider);
          return right.claim(task, now, dueAt);
        },
        providers: async () => (await right.providers()).filter((name) => untried.has(name)),
      }));
    },
    describeReconciliationTasks,
    'name each provider once',
  ],
  [
    'providers whose tasks are all gone',
    () => {
      const names = new Set<string>();
      return wrongReconciliationTasks((right) => ({
        enqueue: (provider, providerObject, at) => {
          names.add(provider);
          return right.enqueue(provider, providerObject, at);
        },
        providers: async () => [...new Set([...names, ...(await right.providers())])],
      }));
    },
    describeReconciliationTasks,
    'name each provider once',
  ],
  [
    'tasks that keep for good when they were first claimed',
    () => {
      const first = new Map<string, Instant>();
      return wrongReconciliationTasks((right) => ({
        claim: (task, now, dueAt) => {
          const key = `${task.provider} ${task.reference}`;
          if (!first.has(key)) first.set(key, now);
          return right.claim(task, first.get(key) ?? now, dueAt);
        },
      }));
    },
    describeReconciliationTasks,
    claimedOnce,
  ],
  [
    'tasks that are claimed a second time at the time of the first',
    () => {
      const first = new Map<string, Instant>();
      return wrongReconciliationTasks((right) => ({
        claim: (task, now, dueAt) => {
          const key = `${task.provider} ${task.reference}`;
          if (!first.has(key)) first.set(key, dueAt);
          return right.claim(task, now, first.get(key) ?? dueAt);
        },
      }));
    },
    describeReconciliationTasks,
    claimedOnce,
  ],
  [
    'tasks that are postponed once at most',
    () => {
      const postponed = new Set<string>();
      return wrongReconciliationTasks((right) => ({
        postpone: async (task, dueAt) => {
          const key = `${task.provider} ${task.reference}`;
          if (!postponed.has(key)) await right.postpone(task, dueAt);
          postponed.add(key);
        },
      }));
    },
    describeReconciliationTasks,
    'are postponed as if never attempted, and keep everything else',
  ],
  [
    'references that are cut at 100 characters when their objects are scheduled',
    () =>
      wrongReconciliationTasks((right) => ({
        schedule: (provider, { kind, reference }, dueAt, at) =>
          right.schedule(provider, { kind, reference: reference.slice(0, 100) }, dueAt, at),
      })),
    describeReconciliationTasks,
    'are found by the longest reference, code point by code point',
  ],
  [
    'lists of at most 100 tasks',
    () =>
      wrongReconciliationTasks((right) => ({
        listDue: (provider, now, limit) => right.listDue(provider, now, Math.min(limit, 100)),
      })),
    describeReconciliationTasks,
    'are listed as many as were asked for',
  ],
  [
    'tasks of a unit of work that it does not find beside others',
    ownLookUpsOverlooked,
    describeReconciliationTasks,
    'are found as a unit of work has left them, together with what was committed',
  ],
];
