import type { Ports } from '#application/application.ts';
import { recordMovements } from '#application/movements/record-movements.ts';
import type { ChargeState } from '#application/ports/charge.ts';
import type { FollowedCharges, Movements } from '#application/ports/followed-charges.ts';
import type { LookUpStore } from '#application/ports/look-ups.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import type { Repositories } from '#application/ports/repositories.ts';
import type { Hear } from '../listener.ts';
import { replacing } from '../replacing.ts';

/** Parts with faults in what they do with charges that wait, and with what the provider tells. */

export const believing: Hear = (event, { at, newId }) => {
  const record = recordMovements({ clock: { now: () => at }, newId, warn: () => undefined });
  const told = event.tells();
  return async (repositories) => told && record(told)(repositories);
};

type Change = (followed: FollowedCharges) => Partial<FollowedCharges>;

const withFollowed = (ports: Ports, change: Change): Ports => {
  const { provider } = ports;
  const { followed } = provider;
  if (followed === undefined) return ports;
  return { ...ports, provider: { ...provider, followed: { ...followed, ...change(followed) } } };
};

export const cancelingUnasked = (ports: Ports): Ports =>
  withFollowed(ports, () => ({ cancel: async ({ reference }) => ({ canceled: true, reference }) }));

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
  const asBefore = (told: Movements): Movements => ({
    ...told,
    refunds: told.refunds.map((refund) => {
      const { reference, status } = refund;
      if (status === 'succeeded') succeeded.add(reference);
      return succeeded.has(reference) ? { ...refund, status: 'succeeded', failure: null } : refund;
    }),
  });
  return (ports: Ports): Ports =>
    withFollowed(ports, ({ inspect }) => ({
      inspect: async (reference) => {
        const told = await inspect(reference);
        return told && asBefore(told);
      },
    }));
};

export const deletingHints = ({ lookUps }: Repositories): LookUpStore =>
  replacing(lookUps, {
    take: async (lookUp, now, dueAt) => {
      const isTaken = await lookUps.take(lookUp, now, dueAt);
      if (isTaken) await lookUps.remove(lookUp);
      return isTaken;
    },
  });

/** No capture is seen by another. */
export const capturingAgain = ({ captures }: Repositories): Repositories['captures'] =>
  replacing(captures, { findBy: async () => [] });

/** The provider's amounts of charges are left out, as if it did not say them. */
export const comparingNoAmount = (ports: Ports): Ports => {
  const without = <State extends ChargeState | undefined>(state: State): State => {
    if (state === undefined || !('amount' in state)) return state;
    const { amount: _, ...rest } = state;
    return rest as State;
  };
  const { provider } = withFollowed(ports, ({ find, cancel, inspect }) => ({
    find: (charge) => find(charge).then(without),
    ...(cancel && { cancel: async (charge) => without(await cancel(charge)) }),
    inspect: async (reference) => {
      const told = await inspect(reference);
      return told && { ...told, charge: without(told.charge) };
    },
  }));
  const { charge, closeCharge }: PaymentProvider = provider;
  return {
    ...ports,
    provider: {
      ...provider,
      charge: (asked) => charge(asked).then(without),
      closeCharge: (asked) => closeCharge(asked).then(without),
    },
  };
};
