import type { Application, Ports } from '#application/application.ts';
import type { ChargeState } from '#application/ports/charge.ts';
import type { ChargeLifecycle, ChargeSnapshot } from '#application/ports/charge-lifecycle.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import type { ReconciliationTaskStore } from '#application/ports/reconciliation-tasks.ts';
import type { ReadRepositories, Repositories } from '#application/ports/repositories.ts';
import { applySnapshot } from '#application/reconciliation/apply-snapshot.ts';
import type { Instant } from '#domain/instant.ts';
import type { Order } from '#domain/order.ts';
import type { Hear } from '../listener.ts';
import { replacing } from '../replacing.ts';
import { withRepositories } from './planting.ts';

/** Parts with faults in what they do with charges that wait, and with what the provider tells. */

export const believing: Hear = (event, { at, newId }) => {
  const record = applySnapshot({ clock: { now: () => at }, newId, warn: () => undefined });
  const told = event.tells();
  return async (repositories) => told && record(told)(repositories);
};

type Change = (lifecycle: ChargeLifecycle) => Partial<ChargeLifecycle>;

const withLifecycle = (ports: Ports, change: Change): Ports => {
  const { provider } = ports;
  const { lifecycle } = provider;
  if (lifecycle === undefined) return ports;
  return { ...ports, provider: { ...provider, lifecycle: { ...lifecycle, ...change(lifecycle) } } };
};

export const cancelingUnasked = (ports: Ports): Ports =>
  withLifecycle(ports, () => ({ cancel: async ({ reference }) => ({ canceled: true, reference }) }));

export const decliningThePayer = (ports: Ports): Ports => {
  const { charge } = ports.provider;
  const decline = async (asked: Parameters<typeof charge>[0]): Promise<ChargeState> => {
    const state = await charge(asked);
    const waits = 'waitsFor' in state && state.waitsFor === 'payer';
    return waits ? { declined: { code: 'declined', message: 'The card was declined.' } } : state;
  };
  return { ...ports, provider: { ...ports.provider, charge: decline } };
};

/** What was told as succeeded once is told so for ever. */
export const ignoringLateFailures = () => {
  const succeeded = new Set<string>();
  const asBefore = (told: ChargeSnapshot): ChargeSnapshot => ({
    ...told,
    refunds: told.refunds.map((refund) => {
      const { reference, status } = refund;
      if (status === 'succeeded') succeeded.add(reference);
      return succeeded.has(reference) ? { ...refund, status: 'succeeded', failure: null } : refund;
    }),
  });
  return (ports: Ports): Ports =>
    withLifecycle(ports, ({ retrieveCharge }) => ({
      retrieveCharge: async (reference) => {
        const told = await retrieveCharge(reference);
        return told && asBefore(told);
      },
    }));
};

export const deletingTasks = ({ reconciliationTasks }: Repositories): ReconciliationTaskStore =>
  replacing(reconciliationTasks, {
    claim: async (task, now, dueAt) => {
      const isTaken = await reconciliationTasks.claim(task, now, dueAt);
      if (isTaken) await reconciliationTasks.remove(task);
      return isTaken;
    },
  });

/** No capture is seen by another. */
export const capturingAgain = ({ captures }: Repositories): Repositories['captures'] =>
  replacing(captures, { findBy: async () => [] });

type Said = 'amount' | 'id' | 'chargeReference';

/** What the provider says of what it has moved, without some of it, as if it did not say that. */
const without = <State extends object | undefined>(state: State, ...left: readonly Said[]): State => {
  if (state === undefined) return state;
  const kept = Object.entries(state).filter(([name]) => !(left as readonly string[]).includes(name));
  return Object.fromEntries(kept) as State;
};

/** The provider's amounts of charges are left out. */
export const comparingNoAmount = (ports: Ports): Ports => {
  const { provider } = withLifecycle(ports, ({ findCharge, cancel, retrieveCharge }) => ({
    findCharge: async (charge) => without(await findCharge(charge), 'amount'),
    ...(cancel && { cancel: async (charge) => without(await cancel(charge), 'amount') }),
    retrieveCharge: async (reference) => {
      const told = await retrieveCharge(reference);
      return told && { ...told, charge: without(told.charge, 'amount') };
    },
  }));
  const { charge, closeCharge }: PaymentProvider = provider;
  return {
    ...ports,
    provider: {
      ...provider,
      charge: async (asked) => without(await charge(asked), 'amount'),
      closeCharge: async (asked) => without(await closeCharge(asked), 'amount'),
    },
  };
};

/** The outcomes on refunds lack something. */
export const comparingNoRefund =
  (...left: readonly Said[]) =>
  (ports: Ports): Ports => {
    const { provider } = ports;
    const { refund, closeRefund } = provider;
    return {
      ...ports,
      provider: {
        ...provider,
        refund: async (asked) => without(await refund(asked), ...left),
        closeRefund: async (asked) => without(await closeRefund(asked), ...left),
      },
    };
  };

/** What the clients of refunds have seen is not looked at. */
export const forgettingWhatWasSeen = (sound: Application): Application => {
  const { refunds } = sound.useCases;
  const create: typeof refunds.create = Object.assign(
    (...[caller, { expectedRefunded: _, ...input }]: Parameters<typeof refunds.create>) =>
      refunds.create(caller, input),
    refunds.create,
  );
  return { ...sound, useCases: { ...sound.useCases, refunds: { ...refunds, create } } };
};

/** The outcomes on captures lack something. */
export const comparingNoCapture =
  (left: Said) =>
  (ports: Ports): Ports =>
    withLifecycle(ports, ({ capture }) =>
      capture === undefined ? {} : { capture: async (asked) => without(await capture(asked), left) },
    );

/** Each server knows only when it has asked about a payment itself. */
export const askingByItself = (ports: Ports): Ports => {
  const askedAt = new Map<string, Instant>();
  return withRepositories(ports, ({ reconciliationTasks }) => ({
    reconciliationTasks: replacing(reconciliationTasks, {
      find: async (provider, providerObject) => {
        const task = await reconciliationTasks.find(provider, providerObject);
        return task && { ...task, lastAttemptAt: askedAt.get(providerObject.reference) ?? null };
      },
      claim: async (task, now, dueAt) => {
        const isTaken = await reconciliationTasks.claim(task, now, dueAt);
        if (isTaken) askedAt.set(task.reference, now);
        return isTaken;
      },
    }),
  }));
};

/** No order knows when the lock of a payment has ended. */
export const withoutSecondTry = (ports: Ports): Ports => {
  const forgetful = <To extends Pick<ReadRepositories, 'orders'>>(to: To): To => ({
    ...to,
    orders: replacing(to.orders, {
      page: async (filter, page) => {
        const found = await to.orders.page(filter, page);
        return { ...found, rows: found.rows.map((order) => ({ ...order, unlockedAt: null })) };
      },
    }),
  });
  const { unitOfWork } = withRepositories(ports, ({ orders }) => ({
    orders: replacing(orders, { lock: async (id) => forgotten(await orders.lock(id)) }),
  }));
  return {
    ...ports,
    unitOfWork: {
      run: (work) => unitOfWork.run(work),
      read: (reading) => unitOfWork.read((from) => reading(forgetful(from))),
    },
  };
};

/** The time of a second try begins anew with each lock that ends. */
export const withoutLastTry = (ports: Ports): Ports =>
  withRepositories(ports, ({ orders }) => ({
    orders: replacing(orders, {
      save: async (order) => {
        const before = await orders.find(order.id);
        const isUnlocked = before?.paying === true && !order.paying && order.status === 'pending';
        await orders.save(isUnlocked ? { ...order, unlockedAt: order.updatedAt } : order);
      },
    }),
  }));

const forgotten = (order: Order | undefined): Order | undefined => order && { ...order, unlockedAt: null };

/** A charge that was canceled is told as it was before, to all who look because of an event, or because it is time. */
export const ignoringCancellations = (ports: Ports): Ports =>
  withLifecycle(ports, ({ retrieveCharge }) => ({
    retrieveCharge: async (reference) => {
      const told = await retrieveCharge(reference);
      if (told === undefined || !('canceled' in told.charge)) return told;
      return { ...told, charge: { reference, waitsFor: 'capture', captureBefore: null } };
    },
  }));

/** A capture that was made at the provider is seen in its payment only. */
export const addingNoCapture = ({ captures }: Repositories): Repositories['captures'] =>
  replacing(captures, {
    add: async (capture) => {
      if (capture.status !== 'succeeded') await captures.add(capture);
    },
  });
