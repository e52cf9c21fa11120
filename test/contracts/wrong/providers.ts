import { ApplicationError } from '#application/errors.ts';
import type { Charge, PaymentProvider, Reversal, Verdict } from '#application/ports/payment-provider.ts';
import { newId } from '../../support/machine.ts';
import { openSandbox } from '../open-sandbox.ts';
import type { ProviderHarness } from '../payment-provider.ts';
import { withMethods } from './wrapping.ts';

/** A wrong provider, with the promises by whose names it must fail. */
type WrongProvider = readonly [
  fault: string,
  open: () => Promise<ProviderHarness>,
  ...promises: [string, ...string[]],
];

const wrongly = (wrap: (right: PaymentProvider) => Partial<PaymentProvider>) => async () => {
  const sandbox = await openSandbox();
  return { ...sandbox, provider: withMethods(sandbox.provider, wrap(sandbox.provider)) };
};

/** Charges are changed before they are made. */
const chargesAs = (change: (charge: Charge) => Charge) =>
  wrongly((right) => ({ charge: (charge) => right.charge(change(charge)) }));

const reversalsAs = (change: (reversal: Reversal) => Reversal) =>
  wrongly((right) => ({ reverse: (reversal) => right.reverse(change(reversal)) }));

/** Knows a payment only once its charge has been made. */
const knownAfterwards = wrongly((right) => {
  const made = new Map<string, Verdict>();
  return {
    charge: async (charge) => {
      const before = made.get(charge.paymentId);
      if (before !== undefined) return before;
      const verdict = await right.charge({ ...charge, paymentId: newId() });
      made.set(charge.paymentId, verdict);
      return verdict;
    },
  };
});

/** Payments of the same amount are one. */
const knownByAmount = wrongly((right) => {
  const ids = new Map<string, Charge['paymentId']>();
  return {
    charge: (charge) => {
      const name = `${charge.amount.amount} ${charge.paymentMethod}`;
      const paymentId = ids.get(name) ?? charge.paymentId;
      ids.set(name, paymentId);
      return right.charge({ ...charge, paymentId });
    },
  };
});

const unlessDeclined = (translate: (verdict: Verdict) => Verdict | Promise<Verdict>) =>
  wrongly((right) => ({ charge: async (charge) => translate(await right.charge(charge)) }));

const notCharged: Verdict = { declined: { code: 'not_charged', message: 'It never arrived.' } };

const once = 'makes a charge once, however often it is retried';
const concurrent = 'makes a charge once of many concurrent requests';
const decline = 'keeps a decline, and moves nothing';
const unknown = 'throws when the outcome is unknown, and has a verdict later';
const reversals = 'reverses once for each refund, however often it is retried';
const closedFirst = 'declines a charge for good that was closed before it arrived';

export const wrongProviders: readonly WrongProvider[] = [
  [
    'charge again at each retry',
    chargesAs((charge) => ({ ...charge, paymentId: newId() })),
    once,
    concurrent,
  ],
  ['know a payment only afterwards', knownAfterwards, concurrent],
  ['take payments of one amount for one', knownByAmount, 'makes one charge for each payment'],
  [
    'throw at a decline',
    unlessDeclined((verdict) => {
      if ('declined' in verdict) throw new ApplicationError('provider-failed', verdict.declined.message);
      return verdict;
    }),
    decline,
  ],
  [
    'decline without a reason',
    unlessDeclined((verdict) => ('declined' in verdict ? { declined: { code: '', message: '' } } : verdict)),
    decline,
  ],
  [
    'try another payment method after a decline',
    wrongly((right) => ({
      charge: async (charge) => {
        const verdict = await right.charge(charge);
        return 'declined' in verdict
          ? right.charge({ ...charge, paymentId: newId(), paymentMethod: 'tok_ok' })
          : verdict;
      },
    })),
    decline,
  ],
  [
    'close a charge without a look at what was charged',
    wrongly(() => ({ closeCharge: async () => notCharged })),
    'returns the verdict of a charge that was made when it is closed',
  ],
  ['charge after a close', wrongly(() => ({ closeCharge: async () => notCharged })), closedFirst],
  [
    'take an unknown outcome for a decline',
    wrongly((right) => ({ charge: (charge) => right.charge(charge).catch(() => notCharged) })),
    unknown,
  ],
  [
    'throw an error of their own when the outcome is unknown',
    wrongly((right) => ({
      charge: (charge) =>
        right.charge(charge).catch((cause: unknown) => {
          throw new Error('ECONNRESET', { cause });
        }),
    })),
    unknown,
  ],
  ['reverse again at each retry', reversalsAs((reversal) => ({ ...reversal, refundId: newId() })), reversals],
  [
    'reverse a charge once, whatever the refund',
    wrongly((right) => {
      const ids = new Map<string, Reversal['refundId']>();
      return {
        reverse: (reversal) => {
          const refundId = ids.get(reversal.chargeReference) ?? reversal.refundId;
          ids.set(reversal.chargeReference, refundId);
          return right.reverse({ ...reversal, refundId });
        },
      };
    }),
    reversals,
  ],
  [
    'know a refund only afterwards',
    wrongly((right) => {
      const made = new Map<string, Verdict>();
      return {
        reverse: async (reversal) => {
          const before = made.get(reversal.refundId);
          if (before !== undefined) return before;
          const verdict = await right.reverse({ ...reversal, refundId: newId() });
          made.set(reversal.refundId, verdict);
          return verdict;
        },
      };
    }),
    'reverses once of many concurrent requests',
  ],
  [
    'reverse what is only closed',
    wrongly((right) => ({ closeReversal: (reversal) => right.reverse(reversal) })),
    'declines a reversal that never arrived when it is closed',
  ],
  ['have the name of no provider', wrongly(() => ({ name: 'offline' })), 'has a name of its own'],
  ['forget at once', wrongly(() => ({ idempotencyWindowMs: 0 })), 'has an idempotency window'],
];
