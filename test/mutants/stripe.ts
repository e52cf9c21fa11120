import { faultsOf, type Mutant } from './mutant.ts';

const captured = 'captures once per capture id, and as much as was asked';
const read = 'reads a charge with all its refunds';

/** Faults of the adapter of Stripe, which the contract of providers must find against a provider like Stripe. */
export const stripeMutants: readonly Mutant[] = [
  ...faultsOf('stripe', 'charges/charge.ts', [
    [
      'money that is taken at once',
      "...(captureMethod === 'manual' && {",
      '...(captureMethod === undefined && {',
      'authorizes a charge, moves nothing, and leaves it as it is when it is closed',
    ],
    [
      'a payer who cannot try again',
      "...(payer !== undefined && { payer_present: 'true' })",
      "...(payer === null && { payer_present: 'true' })",
      'takes no money of a declined charge whose payer tries again',
    ],
    [
      'a payer who stays on the page sent away',
      'return payer.returnUrl === null ? { use_stripe_sdk: true } : { return_url: payer.returnUrl };',
      'return { use_stripe_sdk: true };',
      'sends a payer who can return to an address, and gives any other to its library',
    ],
  ]),
  ...faultsOf('stripe', 'charges/capture.ts', [
    [
      'all for the part that is captured',
      'amount_to_capture: stripeAmount(amount), metadata',
      'metadata',
      captured,
    ],
    [
      'a capture for each id',
      ' === captureId))',
      ' !== undefined))',
      'captures for one of several capture ids alone',
    ],
    [
      'a cancellation that is not sent',
      'await cancelIntent(call, reference)',
      'await getIntent(call, reference)',
      'cancels a charge that waits for its payer, for good',
    ],
  ]),
  ...faultsOf('stripe', 'charges/intents.ts', [
    [
      'a declined charge that stays open',
      'const closed = await cancelIntent(call, intent.id);',
      'const closed = { ...intent, metadata: {} };',
      'takes no money of a declined charge whose payer tries again',
    ],
  ]),
  ...faultsOf('stripe', 'snapshot/charge-snapshot.ts', [
    ['refunds taken for what was released', '!releases.includes(refund)', 'releases.includes(refund)', read],
    [
      'disputes that it does not tell of',
      'disputes: disputes.map(',
      'disputes: disputes.slice(1).map(',
      'reports a dispute, and its amount, reason and status',
    ],
  ]),
  ...faultsOf('stripe', 'api/errors.ts', [
    [
      'an error for what is not of this shop',
      "StripeInvalidRequestError && error.code === 'resource_missing'",
      "StripeInvalidRequestError && error.code === 'missing'",
      'finds no charge of what is not of this shop',
    ],
  ]),
  ...faultsOf('stripe', 'refunds/refund-state.ts', [
    ['refunds of no one', 'refundId: refundIdIn(refund) ?? null', 'refundId: null', read],
    [
      'a refund that waits reported as made',
      "...(refund.status !== 'succeeded' && { waitsFor: 'provider' }),",
      '',
      'reports a refund that it has accepted and not finished, and that it has succeeded then',
    ],
    [
      'no failure of what has succeeded',
      "if (status !== 'failed') return null;",
      "if (status !== 'canceled') return null;",
      'reports a refund that has failed after it had succeeded, and why',
    ],
  ]),
  ...faultsOf('stripe', 'events/event-types.ts', [
    [
      'refunds that no event names',
      "['refund.created', 'refund'],",
      '',
      'lists an event that leads to a refund that was made at the provider, and lists it again from its time on',
    ],
  ]),
];
