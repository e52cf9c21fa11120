import type Stripe from 'stripe';
import { ApplicationError } from '#application/errors.ts';
import type { Verdict } from '#application/ports/payment-provider.ts';
import { hideTokens } from './secrets.ts';

export const notCharged: Verdict = {
  declined: { code: 'not_charged', message: 'The provider made no charge.' },
};

export const notRefunded: Verdict = {
  declined: { code: 'not_refunded', message: 'The provider made no refund.' },
};

/**
 * The verdict on a charge; undefined while it waits for somebody to go on with it.
 * https://docs.stripe.com/payments/paymentintents/lifecycle
 * @throws ApplicationError 'provider-timeout' while the bank has it
 */
export const chargeVerdict = (intent: Stripe.PaymentIntent): Verdict | undefined => {
  const { id, status, last_payment_error: refusal } = intent;
  switch (status) {
    case 'succeeded':
      return { reference: id };
    case 'processing':
      throw new ApplicationError('provider-timeout', 'The charge is under way at the payment provider.');
    case 'canceled':
      return notCharged;
    default:
      if (!refusal) return undefined;
      return {
        declined: {
          code: refusal.decline_code || refusal.code || 'card_declined',
          message: hideTokens(refusal.message ?? 'The card was declined.'),
        },
      };
  }
};

/**
 * The verdict on a refund. https://docs.stripe.com/refunds
 * @throws ApplicationError 'provider-timeout' while the bank has it
 */
export const refundVerdict = ({ id, status, failure_reason }: Stripe.Refund): Verdict => {
  switch (status) {
    case 'succeeded':
      return { reference: id };
    case 'failed':
    case 'canceled':
      return { declined: { code: failure_reason ?? status, message: `The refund ${ends[status]}.` } };
    default:
      throw new ApplicationError('provider-timeout', 'The refund is under way at the payment provider.');
  }
};

const ends = { failed: 'failed', canceled: 'was canceled' };

/** Of what is known of one charge: that it was made, or else why it was not. */
export const mostTelling = (verdicts: readonly Verdict[]): Verdict | undefined =>
  verdicts.find((verdict) => 'reference' in verdict) ??
  verdicts.find((verdict) => verdict !== notCharged) ??
  verdicts[0];
