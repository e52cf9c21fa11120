import { Instant } from '#domain/instant.ts';
import { replacing } from '../replacing.ts';
import { Simulation } from '../simulation.ts';
import { eventFaults } from './event-faults.ts';
import type { Fault } from './fault.ts';
import { moneyFaults } from './money-faults.ts';
import {
  deletingUnsettled,
  inPieces,
  storingFailures,
  twice,
  unrecorded,
  withKeys,
  withoutFencingToken,
  withoutLast,
  withoutLease,
  withRepositories,
} from './planting.ts';

const hour = 3_600_000;

/**
 * Faults that a server like this might have. Each is planted by replacing a port or a part of the application. Each must be
 * noticed, because otherwise a clean run of the simulation proves nothing.
 */
export const faults: Readonly<Record<string, Fault>> = {
  'a random key at the provider': {
    planted: {
      provider: (provider) => {
        provider.knowsKeys = false;
      },
    },
    sign: /(charges|refunds) made twice/,
  },
  'no fencing token': {
    planted: {
      ports: (given) => withKeys(given, withoutFencingToken()),
    },
    sign: /was settled, and another process overwrote it/,
  },
  'no lease': {
    planted: {
      ports: (given) => withKeys(given, withoutLease),
    },
    sign: /was taken over while another process held the lease/,
  },
  'a claim and a settlement in several transactions': {
    planted: { ports: (given) => ({ ...given, unitOfWork: inPieces(given.unitOfWork) }) },
    sign: /is stranded|is being paid for ever|has made \d orders|left and \d|has changed the stock \d times/,
  },
  "expiry by the process's own clock": {
    planted: {
      ports: (given, place) => {
        const skew = place === 0 ? 0 : 25 * hour;
        return { ...given, clock: { now: () => Instant.plus(given.clock.now(), skew) } };
      },
    },
    sign: /was answered .* and then|was taken over while another process held the lease/s,
  },
  'a stored 5xx': {
    planted: {
      application: (sound, { unitOfWork }) => ({
        ...sound,
        idempotency: storingFailures(sound.idempotency, unitOfWork),
      }),
    },
    sign: /is stranded/,
  },
  'an unresolved key swept away': {
    planted: {
      ports: (given) => withKeys(given, deletingUnsettled),
    },
    sign: /is stranded/,
  },
  'a charge believed never to have been made': {
    planted: {
      provider: (provider) => {
        provider.closesForGood = false;
      },
    },
    sign: /charges without a matching row: .*\(failed,/,
  },
  'a charge repeated when the provider has forgotten it': {
    planted: {
      ports: (given) => ({
        ...given,
        provider: { ...given.provider, idempotencyWindowMs: Number.POSITIVE_INFINITY },
      }),
    },
    sign: /(charges|refunds) made twice/,
  },
  'an offline payment that is sent to the provider': {
    planted: {
      application: (sound) => {
        const { payments } = sound.useCases;
        const pay: typeof payments.pay = Object.assign(
          (...[caller, input]: Parameters<typeof payments.pay>) =>
            payments.pay(caller, { orderId: input.orderId, paymentMethod: 'good' }),
          payments.pay,
        );
        return { ...sound, useCases: { ...sound.useCases, payments: { ...payments, pay } } };
      },
    },
    sign: /offline was paid by simulated/,
  },
  'a change of a stock without its record': {
    planted: {
      ports: (given) => withRepositories(given, (to) => ({ stockChanges: unrecorded(to) })),
    },
    sign: /stock sold twice, or lost/,
  },
  'an order that lacks one of its items': {
    planted: {
      ports: (given) => withRepositories(given, (to) => ({ orderItems: withoutLast(to) })),
    },
    sign: /says \d items and has \d/,
  },
  'unpaid orders that stay for ever': {
    planted: {
      application: (sound) => ({
        ...sound,
        backgroundJobs: { ...sound.backgroundJobs, expireOrders: async () => ({ done: 0, errors: [] }) },
      }),
    },
    sign: /waits to be paid for ever/,
  },
  'an erasure that leaves stored responses': {
    planted: {
      ports: (given) => withKeys(given, (keys) => replacing(keys, { remove: async () => undefined })),
    },
    sign: /has left the response to/,
  },
  'an erasure that is made twice': {
    planted: {
      ports: (given) => withRepositories(given, (to) => ({ erasures: twice(to, given.newId) })),
    },
    sign: /no client was told of erasure/,
  },
  'a second review of a product': {
    planted: {
      ports: (given) =>
        withRepositories(given, ({ reviews }) => ({
          reviews: replacing(reviews, { add: (review) => reviews.add({ ...review, userProduct: null }) }),
        })),
    },
    sign: /has reviewed .* \d times/,
  },
  ...moneyFaults,
  ...eventFaults,
};

/** What a search for a fault plays. */
export const storyOf = ({ planted, sign }: Fault) => ({
  begin: (seed: number) => new Simulation(seed, { planted }),
  sign,
});
