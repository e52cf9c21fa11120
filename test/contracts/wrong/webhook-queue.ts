import { openMemory } from '#adapters/persistence/memory/open.ts';
import type { WebhookQueue } from '#application/ports/webhook-queue.ts';
import { updated } from '#domain/resource.ts';
import { WebhookDelivery, type WebhookDeliveryId } from '#domain/webhooks/delivery.ts';
import { countingMemory } from '../../support/counted-rows.ts';
import { existing } from '../harness.ts';
import { describeQueueCosts } from '../queue-costs.ts';
import { describeSealedSecrets } from '../sealed-secrets.ts';
import { describeWebhookQueue } from '../webhook-queue.ts';
import {
  type WrongAdapter,
  withMethods,
  wrapRepositories,
  wrongInWork,
  wrongRepositories,
} from './wrapping.ts';

/** A memory store whose queue of deliveries has some other methods. */
const wrongQueue = (wrap: (right: WebhookQueue) => Partial<WebhookQueue>) =>
  wrongRepositories(({ webhookQueue: right }) => ({ webhookQueue: withMethods(right, wrap(right)) }));

/** A unit of work that finds committed deliveries overlooks those that it has added itself. */
const ownDeliveriesOverlooked = (method: 'due' | 'first' | 'countUntried') => () =>
  wrongInWork(({ webhookDeliveries, webhookQueue: right }) => {
    const own = new Set<WebhookDeliveryId>();
    const committed = (all: readonly WebhookDelivery[]) => {
      const found = all.filter(({ id }) => !own.has(id));
      return found.length > 0 ? found : all;
    };
    const methods: Pick<WebhookQueue, typeof method> = {
      due: async (id, now, limit) => committed(await right.due(id, now, 1_000)).slice(0, limit),
      first: async (id, limit) => committed(await right.first(id, 1_000)).slice(0, limit),
      countUntried: async (id, limit) => {
        const count = (await right.countUntried(id, 1_000)) - own.size;
        return count > 0 ? Math.min(count, limit) : right.countUntried(id, limit);
      },
    };
    return {
      webhookDeliveries: withMethods(webhookDeliveries, {
        add: (delivery) => {
          own.add(delivery.id);
          return webhookDeliveries.add(delivery);
        },
      }),
      webhookQueue: withMethods(right, { [method]: methods[method] }),
    };
  });

/** A change of many deliveries leaves those out that the unit of work has added itself. */
const ownDeliveriesUnchanged =
  (method: 'reschedule' | 'cancelAll' | 'cancelEnqueued' | 'cancelOrphaned') => () =>
    wrongInWork(({ webhookDeliveries, webhookQueue: right }) => {
      const own: WebhookDelivery[] = [];
      const change = async (...args: readonly unknown[]) => {
        for (const { id } of own) await webhookDeliveries.remove(id);
        const result = await (right[method] as (...all: readonly unknown[]) => Promise<unknown>)(...args);
        await webhookDeliveries.addAll(own);
        return result;
      };
      return {
        webhookDeliveries: withMethods(webhookDeliveries, {
          add: (delivery) => {
            own.push(delivery);
            return webhookDeliveries.add(delivery);
          },
        }),
        webhookQueue: withMethods(right, { [method]: change }),
      };
    });

const ownFound = 'are listed and counted as a unit of work has left them, together with what was committed';
const ownChanged = 'are changed together with those that the unit of work has added itself';

/** Adapters that deliver too early, in another order, or for good. */
export const wrongWebhookQueues: readonly WrongAdapter[] = [
  [
    'deliveries that are due before their time',
    () => wrongQueue((right) => ({ due: (endpointId, _now, limit) => right.first(endpointId, limit) })),
    describeWebhookQueue,
    'are listed when they are due, the longest due first, those of one endpoint alone',
  ],
  [
    'deliveries in another order than their events',
    () =>
      wrongQueue((right) => ({
        first: async (endpointId, limit) =>
          (await right.first(endpointId, 1_000))
            .toSorted((one, other) => (one.id < other.id ? -1 : 1))
            .slice(0, limit),
      })),
    describeWebhookQueue,
    'are listed by sequence and id, due or not, those of one endpoint alone',
  ],
  [
    'deliveries that are canceled for an endpoint that is only disabled',
    () =>
      wrongQueue((right) => ({
        reschedule: (endpointId, nextAttemptAt, now) =>
          nextAttemptAt === null
            ? right.cancelAll(endpointId, now)
            : right.reschedule(endpointId, nextAttemptAt, now),
      })),
    describeWebhookQueue,
    'are rescheduled all at once, those of one endpoint that are pending, each with its next version',
  ],
  [
    'held deliveries of other endpoints that are rescheduled too',
    () =>
      wrongRepositories(({ webhookDeliveries, webhookQueue: right }) => ({
        webhookQueue: withMethods(right, {
          reschedule: async (endpointId, nextAttemptAt, now) => {
            await right.reschedule(endpointId, nextAttemptAt, now);
            const { rows } = await webhookDeliveries.page({ status: 'pending' }, { limit: 1_000 });
            const held = rows.filter((row) => row.nextAttemptAt === null && row.endpointId !== endpointId);
            await webhookDeliveries.saveAll(held.map((row) => updated(row, { nextAttemptAt }, now)));
          },
        }),
      })),
    describeWebhookQueue,
    'are rescheduled all at once, those of one endpoint that are pending, each with its next version',
  ],
  [
    'held deliveries of other endpoints that are canceled too',
    () =>
      wrongRepositories(({ webhookDeliveries, webhookQueue: right }) => ({
        webhookQueue: withMethods(right, {
          cancelAll: async (endpointId, now) => {
            await right.cancelAll(endpointId, now);
            const { rows } = await webhookDeliveries.page({ status: 'pending' }, { limit: 1_000 });
            const held = rows.filter(({ nextAttemptAt }) => nextAttemptAt === null);
            await webhookDeliveries.saveAll(held.map((row) => WebhookDelivery.cancel(row, now)));
          },
        }),
      })),
    describeWebhookQueue,
    'are canceled all at once, those of one endpoint that are pending, each with its next version',
  ],
  [
    'lists of at most 100 deliveries',
    () =>
      wrongQueue((right) => ({
        due: (id, now, limit) => right.due(id, now, Math.min(limit, 100)),
        first: (id, limit) => right.first(id, Math.min(limit, 100)),
        countUntried: (id, limit) => right.countUntried(id, Math.min(limit, 100)),
      })),
    describeWebhookQueue,
    'are listed and counted as many as were asked for',
  ],
  [
    'a queue that reads all deliveries',
    async () => {
      const { unitOfWork, countReads } = countingMemory();
      const scanning = wrapRepositories(unitOfWork, ({ webhookDeliveries, webhookQueue: right }) => ({
        webhookQueue: withMethods(right, {
          due: async (endpointId, now, limit) => {
            await webhookDeliveries.page({ endpointId }, { limit: 10_000 });
            return right.due(endpointId, now, limit);
          },
        }),
      }));
      return {
        ...(await openMemory()),
        unitOfWork: scanning,
        countReads: countReads(scanning),
        isSerial: true,
      };
    },
    describeQueueCosts,
    'do not grow with the deliveries that have ended: due',
  ],
  [
    'a new version of an endpoint whose secrets are encrypted anew',
    () =>
      wrongRepositories(({ webhookEndpoints, webhookQueue: right }) => ({
        webhookQueue: withMethods(right, {
          replaceSealedSecrets: async (id, sealedSecrets) => {
            const endpoint = existing(await webhookEndpoints.lock(id));
            await webhookEndpoints.save(updated(endpoint, { sealedSecrets }, endpoint.updatedAt));
          },
        }),
      })),
    describeSealedSecrets,
    'are replaced, and nothing else of their endpoint, nor of another',
  ],
  [
    'deliveries that outlive their endpoint',
    () => wrongQueue((right) => ({ cancelAll: (id, now) => right.reschedule(id, null, now) })),
    describeWebhookQueue,
    'are canceled all at once, those of one endpoint that are pending, each with its next version',
  ],
  [
    'deliveries of requests that are canceled when a position is set',
    () => wrongQueue((right) => ({ cancelEnqueued: (id, _after, now) => right.cancelAll(id, now) })),
    describeWebhookQueue,
    'are canceled behind a sequence, those that were enqueued and not those of requests',
  ],
  [
    'deliveries that wait although their events are gone',
    () => wrongQueue(() => ({ cancelOrphaned: async () => 0 })),
    describeWebhookQueue,
    'are canceled before a sequence, once, and examples are not',
  ],
  [
    'deliveries that are counted without a limit',
    () => wrongQueue((right) => ({ countUntried: (id) => right.countUntried(id, 1_000) })),
    describeWebhookQueue,
    'are counted while no attempt was made, up to a limit',
  ],
  [
    'deliveries that are deleted undelivered in silence',
    () =>
      wrongQueue((right) => ({
        deleteOlder: async (than) => ({ ...(await right.deleteOlder(than)), undelivered: [] }),
      })),
    describeWebhookQueue,
    'are deleted from the oldest on, ended or not, none that was created since, and it says how many were pending',
  ],
  [
    'deliveries that are kept for good',
    () => wrongQueue(() => ({ deleteOlder: async () => ({ hasMore: false, undelivered: [] }) })),
    describeWebhookQueue,
    'are deleted from the oldest on, ended or not, none that was created since, and it says how many were pending',
  ],
  [
    'a deletion that ends at the first delivery with a later time',
    () =>
      wrongRepositories(({ webhookDeliveries, webhookQueue: right }) => ({
        webhookQueue: withMethods(right, {
          deleteOlder: async (than) => {
            const { rows } = await webhookDeliveries.page({}, { limit: 1 });
            const isOld = rows.some(({ createdAt }) => createdAt < than);
            return isOld ? right.deleteOlder(than) : { hasMore: false, undelivered: [] };
          },
        }),
      })),
    describeWebhookQueue,
    'are deleted although a clock that was ahead gave one before them a later time, and that one is kept',
  ],
  [
    'a deletion that ends with its first batch',
    () =>
      wrongQueue((right) => ({
        deleteOlder: async (than) => ({ ...(await right.deleteOlder(than)), hasMore: false }),
      })),
    describeWebhookQueue,
    'are deleted in batches until there are no more, however many they are',
  ],
  [
    'a deletion that never ends',
    () =>
      wrongQueue((right) => ({
        deleteOlder: async (than) => ({ ...(await right.deleteOlder(than)), hasMore: true }),
      })),
    describeWebhookQueue,
    'are deleted in batches until there are no more, however many they are',
  ],
  ...(['due', 'first', 'countUntried'] as const).map(
    (method): WrongAdapter => [
      `deliveries of a unit of work that ${method} does not find beside others`,
      ownDeliveriesOverlooked(method),
      describeWebhookQueue,
      ownFound,
    ],
  ),
  ...(['reschedule', 'cancelAll', 'cancelEnqueued', 'cancelOrphaned'] as const).map(
    (method): WrongAdapter => [
      `deliveries of a unit of work that ${method} leaves out`,
      ownDeliveriesUnchanged(method),
      describeWebhookQueue,
      ownChanged,
    ],
  ),
];
