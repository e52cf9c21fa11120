import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import { Id } from '#domain/resource.ts';
import type { WebhookDelivery } from '#domain/webhooks/delivery.ts';
import { replacing } from '../replacing.ts';
import type { PlantedDelivery } from './delivery-story.ts';

interface DeliveryFault {
  readonly planted: PlantedDelivery;
  /** The failure that shows this fault. */
  readonly sign: RegExp;
}

/** The deliveries of an enqueueing are added in a unit of work of their own, behind that of the position. */
const addingLater = (store: StoreUnitOfWork): StoreUnitOfWork => ({
  run: async (work) => {
    let later: readonly WebhookDelivery[] = [];
    const result = await store.run((to) => {
      later = [];
      const addAll = async (made: readonly WebhookDelivery[]): Promise<void> => {
        later = made;
      };
      return work({ ...to, webhookDeliveries: replacing(to.webhookDeliveries, { addAll }) });
    });
    if (later.length > 0) await store.run(({ webhookDeliveries }) => webhookDeliveries.addAll(later));
    return result;
  },
  read: (reading) => store.read(reading),
});

/** A position is written whatever it was when the events were read. */
const withoutComparison = (store: StoreUnitOfWork): StoreUnitOfWork => {
  const seen = new Map<string, number>();
  return {
    run: (work) =>
      store.run((to) =>
        work({
          ...to,
          endpointPositions: replacing(to.endpointPositions, {
            lock: async (id) => {
              const progress = await to.endpointPositions.lock(id);
              return progress && { ...progress, position: seen.get(id) ?? progress.position };
            },
          }),
        }),
      ),
    read: (reading) =>
      store.read((from) =>
        reading({
          ...from,
          endpointPositions: replacing(from.endpointPositions, {
            find: async (id) => {
              const progress = await from.endpointPositions.find(id);
              if (progress !== undefined) seen.set(id, progress.position);
              return progress;
            },
          }),
        }),
      ),
  };
};

/** Faults that the deliveries of webhooks might have. Each must be noticed within as many seeds as those of the shop. */
export const deliveryFaults: Readonly<Record<string, DeliveryFault>> = {
  'a position moved before its deliveries': {
    planted: { store: addingLater },
    sign: /event \d+ was not enqueued/,
  },
  'a position that is not compared': {
    planted: { store: withoutComparison },
    sign: /event \d+ was enqueued \d times/,
  },
  'an event skipped by a sequential endpoint': {
    planted: {
      deliveries: (sound) => ({
        ...sound,
        ready: (endpoint, limit) => sound.ready({ ...endpoint, ordering: 'parallel' }, limit),
      }),
    },
    sign: /endpoint acknowledged \d+ where \d+ comes next/,
  },
  'a retry with a new id': {
    planted: {
      sender: (sound) => {
        const sent = new Set<string>();
        return {
          send: (message, signal) => {
            const key = `${message.url} ${message.id}`;
            const isRetry = sent.has(key);
            sent.add(key);
            const id = isRetry
              ? (Id.parse('0199c1b2-7a30-7cc3-9f4e-5d2a61b0c7d8') ?? message.id)
              : message.id;
            return sound.send({ ...message, id }, signal);
          },
        };
      },
    },
    sign: /got \S+ with event \S+ of sequence \d+, which it should not/,
  },
};
