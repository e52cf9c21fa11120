import type Stripe from 'stripe';
import { ApplicationError } from '#application/errors.ts';
import type { Verdict } from '#application/ports/payment-provider.ts';
import type { Money } from '#domain/money.ts';
import { redactTokens } from './errors.ts';

/**
 * Stripe counts in ISO 4217's minor unit, with exceptions: hundredths for ISK and UGX, which have none, and whole units for
 * MGA, which has fifths. https://docs.stripe.com/currencies#special-cases
 *
 * In currencies with three decimals Stripe accepts multiples of ten only, and rejects other amounts.
 */
const inHundredths: ReadonlySet<string> = new Set(['ISK', 'UGX']);
const inWholes: ReadonlySet<string> = new Set(['MGA']);

/** An amount in Stripe's unit. It is a fraction, which Stripe rejects, when the unit cannot express the amount. */
export const stripeAmount = ({ amount, currency }: Money): number => {
  if (inHundredths.has(currency)) return amount * 100;
  return inWholes.has(currency) ? amount / 100 : amount;
};

/** The inverse of `stripeAmount`. What Stripe does not say becomes an amount that equals no other. */
const moneyOf = (stated: number | undefined, inCurrency: string | undefined): Money => {
  const currency = String(inCurrency).toUpperCase();
  const units = stated ?? Number.NaN;
  if (inHundredths.has(currency)) return { amount: units / 100, currency };
  return { amount: inWholes.has(currency) ? units * 100 : units, currency };
};

export const stripeCurrency = ({ currency }: Money): string => currency.toLowerCase();

export const notCharged: Verdict = {
  declined: { code: 'not_charged', message: 'The provider made no charge.' },
};

export const notRefunded: Verdict = {
  declined: { code: 'not_refunded', message: 'The provider made no refund.' },
};

/** The id that was sent along as metadata. */
const idIn = (metadata: Stripe.Metadata | null | undefined, name: string): { readonly id?: string } => {
  const id = metadata?.[name];
  return id ? { id } : {};
};

/**
 * The verdict on a charge. https://docs.stripe.com/payments/paymentintents/lifecycle
 * @returns undefined while the intent waits for a confirmation
 * @throws ApplicationError 'provider-timeout' while the bank processes it
 */
export const chargeVerdict = (intent: Stripe.PaymentIntent): Verdict | undefined => {
  const { id, status, last_payment_error: error, metadata, currency } = intent;
  switch (status) {
    case 'succeeded': {
      const amount = moneyOf(intent.amount_received ?? intent.amount, currency);
      return { reference: id, amount, ...idIn(metadata, 'payment_id') };
    }
    case 'processing':
      throw new ApplicationError('provider-timeout', 'The payment provider is still processing the charge.');
    case 'canceled':
      return notCharged;
    default:
      if (!error) return undefined;
      return {
        declined: {
          code: error.decline_code || error.code || 'card_declined',
          message: redactTokens(error.message ?? 'The card was declined.'),
        },
      };
  }
};

/**
 * The verdict on a refund. https://docs.stripe.com/refunds
 * @throws ApplicationError 'provider-timeout' while the bank processes it
 */
export const refundVerdict = (refund: Stripe.Refund): Verdict => {
  const { id, status, failure_reason, amount, currency, metadata, payment_intent: intent } = refund;
  switch (status) {
    case 'succeeded':
      return {
        reference: id,
        amount: moneyOf(amount, currency),
        ...idIn(metadata, 'refund_id'),
        ...(intent && { chargeReference: typeof intent === 'string' ? intent : intent.id }),
      };
    case 'failed':
    case 'canceled':
      return { declined: { code: failure_reason ?? status, message: `The refund ${endings[status]}.` } };
    default:
      throw new ApplicationError('provider-timeout', 'The payment provider is still processing the refund.');
  }
};

const endings = { failed: 'failed', canceled: 'was canceled' };

/** The decisive verdict of all intents of one charge: a success, or else a reason, or else that nothing was charged. */
export const decisive = (verdicts: readonly Verdict[]): Verdict | undefined =>
  verdicts.find((verdict) => 'reference' in verdict) ??
  verdicts.find((verdict) => verdict !== notCharged) ??
  verdicts[0];
