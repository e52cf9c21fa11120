import { ApplicationError } from '#application/errors.ts';
import type {
  Charge,
  PaymentProvider,
  ProviderOutcome,
  RefundRequest,
} from '#application/ports/payment-provider.ts';
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

const refundsAs = (change: (request: RefundRequest) => RefundRequest) =>
  wrongly((right) => ({ refund: (request) => right.refund(change(request)) }));

/** Knows a payment only once its charge has been made. */
const knownAfterwards = wrongly((right) => {
  const made = new Map<string, ProviderOutcome>();
  return {
    charge: async (charge) => {
      const before = made.get(charge.paymentId);
      if (before !== undefined) return before;
      const outcome = await right.charge({ ...charge, paymentId: newId() });
      made.set(charge.paymentId, outcome);
      return outcome;
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

const unlessDeclined = (
  translate: (outcome: ProviderOutcome) => ProviderOutcome | Promise<ProviderOutcome>,
) => wrongly((right) => ({ charge: async (charge) => translate(await right.charge(charge)) }));

const notCharged: ProviderOutcome = { declined: { code: 'not_charged', message: 'It never arrived.' } };

const once = 'makes a charge once, however often it is retried';
const concurrent = 'makes a charge once of many concurrent requests';
const decline = 'keeps a decline, and moves nothing';
const unknown = 'throws when the outcome is unknown, and has one later';
const onceRefunded = 'refunds once for each refund id, however often it is retried';
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
    unlessDeclined((outcome) => {
      if ('declined' in outcome) throw new ApplicationError('provider-failed', outcome.declined.message);
      return outcome;
    }),
    decline,
  ],
  [
    'decline without a reason',
    unlessDeclined((outcome) => ('declined' in outcome ? { declined: { code: '', message: '' } } : outcome)),
    decline,
  ],
  [
    'try another payment method after a decline',
    wrongly((right) => ({
      charge: async (charge) => {
        const outcome = await right.charge(charge);
        return 'declined' in outcome
          ? right.charge({ ...charge, paymentId: newId(), paymentMethod: 'tok_ok' })
          : outcome;
      },
    })),
    decline,
  ],
  [
    'close a charge without a look at what was charged',
    wrongly(() => ({ closeCharge: async () => notCharged })),
    'returns the outcome of a charge that was made when it is closed',
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
  ['refund again at each retry', refundsAs((request) => ({ ...request, refundId: newId() })), onceRefunded],
  [
    'refund a charge once, whatever the refund',
    wrongly((right) => {
      const ids = new Map<string, RefundRequest['refundId']>();
      return {
        refund: (request) => {
          const refundId = ids.get(request.chargeReference) ?? request.refundId;
          ids.set(request.chargeReference, refundId);
          return right.refund({ ...request, refundId });
        },
      };
    }),
    onceRefunded,
  ],
  [
    'know a refund only afterwards',
    wrongly((right) => {
      const made = new Map<string, ProviderOutcome>();
      return {
        refund: async (request) => {
          const before = made.get(request.refundId);
          if (before !== undefined) return before;
          const outcome = await right.refund({ ...request, refundId: newId() });
          made.set(request.refundId, outcome);
          return outcome;
        },
      };
    }),
    'refunds once of many concurrent requests',
  ],
  [
    'refund what is only closed',
    wrongly((right) => ({ closeRefund: (request) => right.refund(request) })),
    'declines a refund that never arrived when it is closed',
  ],
  ['have the name of no provider', wrongly(() => ({ name: 'offline' })), 'has a name of its own'],
  ['forget at once', wrongly(() => ({ idempotencyWindowMs: 0 })), 'has an idempotency window'],
];
