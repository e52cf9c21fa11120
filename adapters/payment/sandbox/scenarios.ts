import type { Failure } from '#domain/payment.ts';

/** What happens to a charge, and to its money afterwards. It is kept in the ledger in place of the payment method. */
export interface Scenario {
  /** Whose decision the charge waits for. Without one it is decided at once. */
  readonly waitsFor?: 'payer' | 'provider';
  /** How they decide after `decisionDelayMs`. Without it they never do. */
  readonly decision?: 'agree' | 'decline';
  /** Refunds succeed at once, or after `aftermathMs`, or fail that long after they have succeeded. */
  readonly refunds?: 'pending' | 'fail late';
  /** What happens by itself `aftermathMs` after the money was captured. */
  readonly aftermath?: 'refunded' | 'disputed';
  /** How the first response fails, although the charge is made. */
  readonly response?: 'none' | 'slow';
}

/** Time between the charge and its decision, in milliseconds. */
export const decisionDelayMs = { payer: 2_000, provider: 5_000 };

/** Time until a refund ends, and until the provider refunds or a payer disputes by themselves, in milliseconds. */
export const aftermathMs = 5_000;

/** Time between the charge and the loss of its dispute, in milliseconds. */
export const disputeLostMs = 10_000;

const cardDeclined = { code: 'card_declined', message: 'The card was declined.' };
const unknownMethod = {
  code: 'invalid_payment_method',
  message: 'The sandbox knows no such payment method. Its list is in the API documentation.',
};

/** The behavior of a token: a scenario, a decline, or a failure without a trace. */
export type Behavior = Scenario | { readonly declined: Failure } | 'fails';

const behaviors: ReadonlyMap<string, Behavior> = new Map<string, Behavior>([
  ['tok_ok', {}],
  ['tok_declined', { declined: cardDeclined }],
  ['tok_error', 'fails'],
  ['tok_timeout', { response: 'none' }],
  ['tok_slow', { response: 'slow' }],
  ['tok_action', { waitsFor: 'payer', decision: 'agree' }],
  ['tok_action_declined', { waitsFor: 'payer', decision: 'decline' }],
  ['tok_action_never', { waitsFor: 'payer' }],
  ['tok_processing', { waitsFor: 'provider', decision: 'agree' }],
  ['tok_processing_failed', { waitsFor: 'provider', decision: 'decline' }],
  ['tok_refund_pending', { refunds: 'pending' }],
  ['tok_refund_fails_late', { refunds: 'fail late' }],
  ['tok_refunded_outside', { aftermath: 'refunded' }],
  ['tok_dispute', { aftermath: 'disputed' }],
]);

export const behaviorOf = (paymentMethod: string): Behavior =>
  behaviors.get(paymentMethod) ?? { declined: unknownMethod };

/** Why a charge was declined that has waited for a decision. */
export const declines = {
  payer: { code: 'authentication_failed', message: 'The payer did not consent.' },
  provider: { code: 'debit_rejected', message: 'The bank of the payer rejected the debit.' },
} as const satisfies Record<string, Failure>;
