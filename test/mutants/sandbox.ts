import { faultsOf, type Mutant } from './mutant.ts';

const fails = 'reports a refund that has failed after it had succeeded, and why';
const captured = 'captures once per capture id, and as much as was asked';

/** Faults of the sandbox, which the contract of providers must find. */
export const sandboxMutants: readonly Mutant[] = [
  ...faultsOf('sandbox', 'charges.ts', [
    [
      'no payer is needed for consent',
      "if (waitsFor === 'payer' && payer === undefined)",
      "if (waitsFor === 'provider' && payer === undefined)",
      'declines a charge that needs consent when no payer is present',
    ],
    [
      'a cancellation in words only',
      'await entries.keep<Decision & CaptureEntry>(key, { canceled: true });\n      return stateOf(paymentId, entry);',
      'return { canceled: true, reference: referenceOf(paymentId), ...{ key } };',
      'cancels a charge that waits for its payer, for good',
    ],
    [
      'a close that leaves the payer their chance',
      'await entries.keep<Decision>(decisionKey(paymentId), { declined: notCharged });\n      return stateOf(paymentId, entry);',
      'return { declined: notCharged };',
      'declines a charge for good that is closed while it waits for its payer',
    ],
    [
      'a close of what the provider decides later',
      "if (!('waitsFor' in state) || state.waitsFor !== 'payer') return state;",
      "if (!('waitsFor' in state) || state.waitsFor === 'capture') return state;",
      'reports that it decides later, which no close changes, and its outcome then',
    ],
    [
      'an authorization that takes the money',
      'if (!entry.isManual) return',
      'if (!entry.isManual || decision.agreedAt) return',
      'authorizes a charge, moves nothing, and leaves it as it is when it is closed',
    ],
    ['all for the part that was captured', '{ ...moved, amount: capture.amount }', '{ ...moved }', captured],
  ]),
  ...faultsOf('sandbox', 'lifecycle.ts', [
    [
      'captures of more than was authorized',
      'amount.amount <= authorized.amount',
      'amount.amount <= 2 * authorized.amount',
      'declines a capture of more than was authorized, and a second one',
    ],
    [
      'a capture for each id',
      ' || captured.captureId !== captureId) return',
      ') return',
      'captures for one of several capture ids alone',
    ],
    ['a retry that is declined', 'if (!kept.isTried ||', 'if (!isTried ||', captured],
    [
      'no dispute while the money is there',
      'if (!isOpen && isDisputed(',
      'if (isOpen && isDisputed(',
      'reports a dispute, and its amount, reason and status',
    ],
    [
      'a charge for each name of a refund',
      'return paymentId && referenceOf(paymentId);',
      'return referenceOf(paymentId ?? id);',
      'finds no charge of what is not of this shop',
    ],
  ]),
  ...faultsOf('sandbox', 'refunds.ts', [
    [
      'a refund that waits reported as made',
      "=== 'pending' ? { ...moved, waitsFor: 'provider' } : moved",
      "=== 'failed' ? { ...moved, waitsFor: 'provider' } : moved",
      'reports a refund that it has accepted and not finished, and that it has succeeded then',
    ],
    [
      'a failure without a reason',
      "failure: status === 'failed' ? failedLate : null",
      'failure: null',
      fails,
    ],
    [
      'refunds of its own that it does not tell of',
      'if (left > 0) return',
      'if (left < 0) return',
      'reports a refund that was made at the provider as of none here',
    ],
  ]),
  ...faultsOf('sandbox', 'refund-ledger.ts', [
    [
      'no failure of what has succeeded',
      "return hasEnded ? 'failed' : 'succeeded';",
      "return 'succeeded';",
      fails,
    ],
  ]),
  ...faultsOf('sandbox', 'provider-events.ts', [
    [
      'events that are listed once',
      'if (event.at >= time &&',
      'if (event.at > time &&',
      'lists an event that leads to a charge whose payer consents, and lists it again from its time on',
    ],
  ]),
];
