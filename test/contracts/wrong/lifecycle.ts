import type { CompleteChargeLifecycle } from '#application/ports/charge-lifecycle.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import { Instant } from '#domain/instant.ts';
import { newId } from '../../support/machine.ts';
import { openSandbox } from '../open-sandbox.ts';
import type { ProviderHarness } from '../payment-provider.ts';
import { withMethods } from './wrapping.ts';

/** A provider that reports something wrong later, with the promises by whose names it must fail. */
type WrongLifecycle = readonly [
  fault: string,
  open: () => Promise<ProviderHarness>,
  ...promises: [string, ...string[]],
];

const wrongly = (wrap: (right: CompleteChargeLifecycle) => Partial<CompleteChargeLifecycle>) => async () => {
  const sandbox = await openSandbox();
  const { lifecycle } = sandbox.provider;
  return {
    ...sandbox,
    provider: { ...sandbox.provider, lifecycle: withMethods(lifecycle, wrap(lifecycle)) },
  };
};

/** Another provider, which can be asked later as the right one. */
const otherwise = (wrap: (right: PaymentProvider) => Partial<PaymentProvider>) => async () => {
  const sandbox = await openSandbox();
  return { ...sandbox, provider: withMethods(sandbox.provider, wrap(sandbox.provider)) };
};

/** Makes a call in another way once the response to the same request was lost. */
const onceLost = <Request, Outcome>(
  call: (request: Request) => Promise<Outcome>,
  idOf: (request: Request) => string,
  again: (request: Request) => Promise<Outcome>,
) => {
  const lost = new Set<string>();
  return async (request: Request): Promise<Outcome> => {
    if (lost.has(idOf(request))) return again(request);
    try {
      return await call(request);
    } catch (error) {
      lost.add(idOf(request));
      throw error;
    }
  };
};

const canceled = 'cancels a charge that waits for its payer, for good';

export const wrongLifecycles: readonly WrongLifecycle[] = [
  [
    'close what they should find',
    async () => {
      const { provider, ...sandbox } = await openSandbox();
      const lifecycle = { ...provider.lifecycle, findCharge: provider.closeCharge };
      return { ...sandbox, provider: { ...provider, lifecycle } };
    },
    'finds no charge that has not arrived, and does not close it',
  ],
  [
    'cancel only in words',
    wrongly(() => ({ cancel: async ({ reference }) => ({ canceled: true, reference }) })),
    canceled,
    'reports that a charge has succeeded when it is canceled too late',
    'reports how much was captured of a charge that is canceled too late',
    'gives an authorized charge up, and captures nothing after that',
  ],
  [
    'take a part that was captured for all of it',
    wrongly((right) => ({
      cancel: async (charge) => {
        const state = await right.cancel(charge);
        return 'amount' in state ? { ...state, amount: charge.amount } : state;
      },
    })),
    'reports how much was captured of a charge that is canceled too late',
  ],
  [
    'report a release as a refund',
    wrongly((right) => ({
      retrieveCharge: async (reference) => {
        const snapshot = await right.retrieveCharge(reference);
        const amount = { amount: 225, currency: 'EUR' };
        const release = {
          reference: 're_1',
          refundId: null,
          amount,
          status: 'succeeded',
          failure: null,
        } as const;
        return snapshot && { ...snapshot, refunds: [...snapshot.refunds, release] };
      },
    })),
    'reports no refund of what was authorized and not captured',
  ],
  [
    'capture again at each retry',
    wrongly((right) => ({ capture: (request) => right.capture({ ...request, captureId: newId() }) })),
    'captures once per capture id, and as much as was asked',
  ],
  [
    'capture anew when a response was lost',
    wrongly(({ capture }) => ({
      capture: onceLost(
        capture,
        ({ captureId }) => captureId,
        (request) => capture({ ...request, captureId: newId() }),
      ),
    })),
    'captures once when the response is lost and the request repeated',
  ],
  [
    'take a charge for declined whose cancellation was lost',
    wrongly(({ cancel }) => ({
      cancel: onceLost(
        cancel,
        ({ reference }) => reference,
        async () => ({ declined: { code: 'gone', message: 'It is gone.' } }),
      ),
    })),
    'reports that a charge is canceled when the response was lost',
  ],
  [
    'refund anew when a response was lost',
    otherwise(({ refund }) => ({
      refund: onceLost(
        refund,
        ({ refundId }) => refundId,
        (request) => refund({ ...request, refundId: newId() }),
      ),
    })),
    'refunds once when the response is lost and the request repeated',
  ],
  [
    'take what is older than their window for never charged',
    otherwise(({ closeCharge, idempotencyWindowMs }) => ({
      closeCharge: async (charge) =>
        charge.age > idempotencyWindowMs
          ? { declined: { code: 'not_charged', message: 'It never arrived.' } }
          : closeCharge(charge),
    })),
    'reports its outcomes when what was made is closed after its window',
  ],
  [
    'count the time for a capture from each retrieval',
    wrongly(({ findCharge }) => ({
      findCharge: async (charge) => {
        const state = await findCharge(charge);
        return state !== undefined && 'captureBefore' in state && state.captureBefore !== null
          ? { ...state, captureBefore: Instant.plus(state.captureBefore, 1) }
          : state;
      },
    })),
    'reports one time until which an authorized charge can be captured, or none',
  ],
  [
    'forget refunds',
    wrongly((right) => ({
      retrieveCharge: async (reference) => {
        const snapshot = await right.retrieveCharge(reference);
        return snapshot && { ...snapshot, refunds: snapshot.refunds.slice(1) };
      },
    })),
    'reads a charge with all its refunds',
  ],
  [
    'forget the order of consent and cancellation',
    wrongly((right) => ({
      cancel: async (charge) => {
        await right.cancel(charge);
        return { canceled: true, reference: charge.reference };
      },
    })),
    'reports that a charge has succeeded when it is canceled too late',
  ],
  [
    'offer a capture that nothing can give up',
    wrongly(() => ({ cancel: undefined as never })),
    'leaves out nothing that what it offers needs',
  ],
  [
    'take a refund from outside for one of ours',
    wrongly((right) => ({
      retrieveCharge: async (reference) => {
        const snapshot = await right.retrieveCharge(reference);
        const refunds = snapshot?.refunds.map((refund) => ({ ...refund, refundId: newId() })) ?? [];
        return snapshot && { ...snapshot, refunds };
      },
    })),
    'reports a refund that was made at the provider as of none here',
    'reads a charge with all its refunds',
  ],
  [
    'list each event as a new one',
    wrongly((right) => ({
      listProviderEvents: async (time) => {
        const list = await right.listProviderEvents(time);
        return { ...list, events: list.events.map((event) => ({ ...event, eventId: newId() })) };
      },
    })),
    'lists an event that leads to a dispute, and lists it again from its time on',
  ],
  [
    'name charges of others in their events',
    wrongly((right) => ({
      listProviderEvents: async (time) => {
        const list = await right.listProviderEvents(time);
        return { ...list, events: list.events.map((event) => ({ ...event, reference: 'sandbox_other' })) };
      },
    })),
    'lists an event that leads to a dispute, and lists it again from its time on',
  ],
  [
    'throw an error of their own when they cannot be reached',
    wrongly((right) => ({
      findCharge: (charge) =>
        right.findCharge(charge).catch((cause: unknown) => {
          throw new Error('ECONNRESET', { cause });
        }),
    })),
    'throws when it cannot be reached, whatever it is asked',
  ],
  [
    'take each object for a charge',
    wrongly(() => ({ findChargeOf: async ({ reference }) => reference })),
    'finds no charge of what is not of this shop',
  ],
];
