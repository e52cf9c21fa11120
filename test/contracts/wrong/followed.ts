import type { AllFollowedCharges } from '#application/ports/followed-charges.ts';
import { newId } from '../../support/machine.ts';
import { openSandbox } from '../open-sandbox.ts';
import type { ProviderHarness } from '../payment-provider.ts';
import { withMethods } from './wrapping.ts';

/** A provider that tells something wrong later, with the promises by whose names it must fail. */
type WrongFollowed = readonly [
  fault: string,
  open: () => Promise<ProviderHarness>,
  ...promises: [string, ...string[]],
];

const wrongly = (wrap: (right: AllFollowedCharges) => Partial<AllFollowedCharges>) => async () => {
  const sandbox = await openSandbox();
  const { followed } = sandbox.provider;
  return { ...sandbox, provider: { ...sandbox.provider, followed: withMethods(followed, wrap(followed)) } };
};

const canceled = 'cancels a charge that waits for its payer, for good';

export const wrongFollowed: readonly WrongFollowed[] = [
  [
    'close what they should find',
    async () => {
      const { provider, ...sandbox } = await openSandbox();
      const followed = { ...provider.followed, find: provider.closeCharge };
      return { ...sandbox, provider: { ...provider, followed } };
    },
    'finds no charge that has not arrived, and does not close it',
  ],
  [
    'cancel only in words',
    wrongly(() => ({ cancel: async ({ reference }) => ({ canceled: true, reference }) })),
    canceled,
    'tells that a charge has succeeded when it is canceled too late',
    'tells how much was captured of a charge that is canceled too late',
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
    'tells how much was captured of a charge that is canceled too late',
  ],
  [
    'tell of a release as of a refund',
    wrongly((right) => ({
      inspect: async (reference) => {
        const movements = await right.inspect(reference);
        const amount = { amount: 225, currency: 'EUR' };
        const release = {
          reference: 're_1',
          refundId: null,
          amount,
          status: 'succeeded',
          failure: null,
        } as const;
        return movements && { ...movements, refunds: [...movements.refunds, release] };
      },
    })),
    'tells of no refund of what was authorized and not captured',
  ],
  [
    'capture again at each retry',
    wrongly((right) => ({ capture: (request) => right.capture({ ...request, captureId: newId() }) })),
    'captures once per capture id, and as much as was asked',
  ],
  [
    'forget refunds',
    wrongly((right) => ({
      inspect: async (reference) => {
        const movements = await right.inspect(reference);
        return movements && { ...movements, refunds: movements.refunds.slice(1) };
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
    'tells that a charge has succeeded when it is canceled too late',
  ],
  [
    'offer a capture that nothing can give up',
    wrongly(() => ({ cancel: undefined as never })),
    'leaves out nothing that what it offers needs',
  ],
  [
    'take a refund from outside for one of ours',
    wrongly((right) => ({
      inspect: async (reference) => {
        const movements = await right.inspect(reference);
        const refunds = movements?.refunds.map((refund) => ({ ...refund, refundId: newId() })) ?? [];
        return movements && { ...movements, refunds };
      },
    })),
    'tells of a refund that was made at the provider as of none here',
    'reads a charge with all its refunds',
  ],
  [
    'list each event as a new one',
    wrongly((right) => ({
      newsSince: async (time) => {
        const news = await right.newsSince(time);
        return { ...news, places: news.places.map((place) => ({ ...place, eventId: newId() })) };
      },
    })),
    'lists an event that leads to a dispute, and lists it again from its time on',
  ],
  [
    'name charges of others in their events',
    wrongly((right) => ({
      newsSince: async (time) => {
        const news = await right.newsSince(time);
        return { ...news, places: news.places.map((place) => ({ ...place, reference: 'sandbox_other' })) };
      },
    })),
    'lists an event that leads to a dispute, and lists it again from its time on',
  ],
  [
    'throw an error of their own when they cannot be reached',
    wrongly((right) => ({
      find: (charge) =>
        right.find(charge).catch((cause: unknown) => {
          throw new Error('ECONNRESET', { cause });
        }),
    })),
    'throws when it cannot be reached, whatever it is asked',
  ],
  [
    'take each place for a charge',
    wrongly(() => ({ chargeAt: async ({ reference }) => reference })),
    'finds no charge of what is not of this shop',
  ],
];
