import type { Failure } from '#domain/payment.ts';

const [second, never] = [1_000, Number.POSITIVE_INFINITY];

/** What happens to a charge by itself. Times are in milliseconds since the charge was begun, or since a refund of it was. */
export interface Story {
  /** The payer has to consent, and does so then. Without the payer the charge is declined. */
  readonly consentAfter?: number;
  /** The bank decides then. */
  readonly decisionAfter?: number;
  /** How it is decided. Charged when it is undefined. */
  readonly declined?: Failure;
  /** A refund is accepted, and finished then. */
  readonly refundAfter?: number;
  /** A refund that has succeeded fails then. */
  readonly refundFailsAfter?: number;
  /** The provider refunds what is left by itself then. */
  readonly refundedAfter?: number;
  /** The payer disputes the charge then, and wins later. */
  readonly disputedAfter?: number;
  readonly lostAfter?: number;
}

const refused: Failure = { code: 'card_declined', message: 'The card was declined.' };
const unauthenticated: Failure = {
  code: 'payment_intent_authentication_failure',
  message: 'The payer did not consent.',
};

/** The tokens whose charges take their time. */
const stories: Readonly<Record<string, Story>> = {
  tok_action: { consentAfter: 2 * second },
  tok_action_declined: { consentAfter: 2 * second, declined: unauthenticated },
  tok_action_never: { consentAfter: never },
  tok_processing: { decisionAfter: 5 * second },
  tok_processing_failed: { decisionAfter: 5 * second, declined: refused },
  tok_refund_pending: { refundAfter: 5 * second },
  tok_refund_fails_late: { refundFailsAfter: 5 * second },
  tok_refunded_outside: { refundedAfter: 5 * second },
  tok_dispute: { disputedAfter: 5 * second, lostAfter: 10 * second },
};

/** @returns undefined for a token that is decided at once */
export const storyOf = (token: string): Story | undefined =>
  Object.hasOwn(stories, token) ? stories[token] : undefined;
