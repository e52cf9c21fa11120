import type { PaymentProvider, Verdict } from '#application/ports/payment-provider.ts';
import { closeCharge, keyWindowMs, makeCharge } from './charge.ts';
import { stripeClient, type TimeBudget, timeBudget } from './client.ts';
import { redactSecrets, unknownOutcome } from './errors.ts';
import { closeReversal, makeReversal } from './reversal.ts';

interface Options {
  readonly secretKey: string;
  /** The origin of the API, when it is not Stripe's own. */
  readonly apiBase: string | undefined;
  /** Timeout of a call, over all its requests together, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Stripe, by PaymentIntents that are created and confirmed in one request. The idempotency key of a charge is the payment's
 * id, that of a reversal is the refund's. Both are also stored in the metadata, where they can be found after the key has
 * expired.
 */
export const stripeProvider = ({ secretKey, apiBase, timeoutMs }: Options): PaymentProvider => {
  const stripe = stripeClient({ secretKey, apiBase, timeoutMs });

  const call = async (
    requests: (budget: TimeBudget) => Promise<Verdict>,
    ...secrets: readonly string[]
  ): Promise<Verdict> => {
    const redact = redactSecrets([secretKey, ...secrets]);
    try {
      const verdict = await requests(timeBudget(timeoutMs));
      if (!('declined' in verdict)) return verdict;
      const { code, message } = verdict.declined;
      return { declined: { code, message: redact(message) } };
    } catch (error) {
      throw unknownOutcome(error, redact);
    }
  };

  return {
    name: 'stripe',
    idempotencyWindowMs: keyWindowMs,
    charge: (charge) => call((budget) => makeCharge(stripe, charge, budget), charge.paymentMethod),
    closeCharge: (charge) => call((budget) => closeCharge(stripe, charge, budget)),
    reverse: (reversal) => call((budget) => makeReversal(stripe, reversal, budget)),
    closeReversal: (reversal) => call((budget) => closeReversal(stripe, reversal, budget)),
  };
};
