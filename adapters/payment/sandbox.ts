import { ApplicationError } from '#application/errors.ts';
import type { PaymentProvider, Verdict } from '#application/ports/payment-provider.ts';

/** How many verdicts it remembers; a provider's memory of idempotency keys ends some day too. */
const memory = 10_000;

/** How long `tok_slow` takes, in milliseconds. */
const slowness = 1_000;

const declined: Verdict = { declined: { code: 'card_declined', message: 'The card was declined.' } };
const unknown: Verdict = {
  declined: { code: 'invalid_payment_method', message: 'The sandbox knows no such payment method.' },
};

/**
 * A provider that moves no money. The token says what it does: `tok_ok` charges, `tok_declined` declines, `tok_error`
 * fails, `tok_timeout` charges and never answers, `tok_slow` answers after a second.
 */
export const sandboxProvider = (): PaymentProvider => {
  const verdicts = new Map<string, Verdict>();

  const remember = (id: string, verdict: Verdict): Verdict => {
    verdicts.set(id, verdict);
    for (const oldest of verdicts.keys()) {
      if (verdicts.size <= memory) break;
      verdicts.delete(oldest);
    }
    return verdict;
  };

  const charged = (id: string): Verdict => remember(id, { reference: `sandbox_${id}` });

  const behaviours: Readonly<Record<string, (id: string) => Promise<Verdict>>> = {
    tok_ok: async (id) => charged(id),
    tok_declined: async (id) => remember(id, declined),
    tok_error: async () => {
      throw new ApplicationError('provider-failed', 'The payment provider failed.');
    },
    tok_timeout: (id) => {
      charged(id);
      return new Promise(() => undefined);
    },
    tok_slow: async (id) => {
      const verdict = charged(id);
      await new Promise((resolve) => setTimeout(resolve, slowness));
      return verdict;
    },
  };

  return {
    name: 'sandbox',
    charge: async ({ paymentId, paymentMethod }) => {
      const earlier = verdicts.get(paymentId);
      if (earlier !== undefined) return earlier;
      const behave = Object.hasOwn(behaviours, paymentMethod) ? behaviours[paymentMethod] : undefined;
      return behave ? behave(paymentId) : remember(paymentId, unknown);
    },
    reverse: async ({ refundId }) => verdicts.get(refundId) ?? charged(refundId),
    findCharge: async (payment) => verdicts.get(payment),
    findReversal: async (refund) => verdicts.get(refund),
  };
};
