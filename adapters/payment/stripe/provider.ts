import type { PaymentProvider, Verdict } from '#application/ports/payment-provider.ts';
import { makeCharge } from './charge.ts';
import { stripeClient } from './client.ts';
import { closeCharge, keyMemory } from './close-charge.ts';
import { openOutcome } from './failures.ts';
import { closeReversal, makeReversal } from './reversal.ts';
import { hideIn } from './secrets.ts';
import { type Time, timeFor } from './time.ts';

interface Settings {
  readonly secretKey: string;
  /** An origin, where it is not Stripe's own. */
  readonly apiBase: string | undefined;
  /** How long all requests that one answer takes may last together. */
  readonly timeoutMilliseconds: number;
}

/**
 * Stripe, by PaymentIntents that are made and confirmed in one request. A charge's idempotency key is the payment's id, a
 * reversal's the refund's, and both are noted in the metadata, where they are found when the key no longer tells.
 */
export const stripeProvider = ({ secretKey, apiBase, timeoutMilliseconds }: Settings): PaymentProvider => {
  const stripe = stripeClient({ secretKey, apiBase, timeoutMilliseconds });

  const ask = async (
    conversation: (time: Time) => Promise<Verdict>,
    ...secrets: readonly string[]
  ): Promise<Verdict> => {
    const hide = hideIn([secretKey, ...secrets]);
    try {
      const verdict = await conversation(timeFor(timeoutMilliseconds));
      if (!('declined' in verdict)) return verdict;
      const { code, message } = verdict.declined;
      return { declined: { code, message: hide(message) } };
    } catch (error) {
      throw openOutcome(error, hide);
    }
  };

  return {
    name: 'stripe',
    idempotencyWindowMs: keyMemory,
    charge: (charge) => ask((time) => makeCharge(stripe, charge, time), charge.paymentMethod),
    closeCharge: (charge) => ask((time) => closeCharge(stripe, charge, time)),
    reverse: (reversal) => ask((time) => makeReversal(stripe, reversal, time)),
    closeReversal: (reversal) => ask((time) => closeReversal(stripe, reversal, time)),
  };
};
