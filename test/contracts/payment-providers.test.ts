import { sandboxProvider } from '#adapters/payment/sandbox.ts';
import { stripeProvider } from '#adapters/payment/stripe/provider.ts';
import { openMemory } from '#adapters/persistence/memory/open.ts';
import { StripeProcess } from '../stripe/stripe-process.ts';
import { describePaymentProvider } from './payment-provider.ts';

describePaymentProvider('The sandbox', async () => {
  const { sandboxLedger, close } = await openMemory();
  const verdicts = new Map<string, string>();
  const ledger = {
    find: sandboxLedger.find,
    keep: async (id: string, verdict: string) => {
      const standing = await sandboxLedger.keep(id, verdict);
      verdicts.set(id, standing);
      return standing;
    },
  };
  return {
    provider: sandboxProvider(ledger),
    good: 'tok_ok',
    bad: 'tok_declined',
    lose: async () => 'tok_error',
    movements: async () => [...verdicts.values()].filter((text) => 'reference' in JSON.parse(text)).length,
    close,
  };
});

describe('With a provider in another process', () => {
  let stripe: StripeProcess;
  before(async () => {
    stripe = await StripeProcess.start();
  });
  after(() => stripe.stop());

  describePaymentProvider('Stripe', async () => {
    await stripe.reset();
    // A request takes a while, so that another meets it under way.
    await stripe.weather({ delayMilliseconds: 5 });
    return {
      provider: stripeProvider({
        secretKey: 'sk_test_contract',
        apiBase: stripe.url,
        timeoutMs: 10_000,
      }),
      good: 'pm_card_visa',
      bad: 'pm_card_chargeDeclined',
      lose: async () => {
        await stripe.script('drop');
        return 'pm_card_visa';
      },
      movements: async () => {
        const { charges, refunds } = await stripe.ledger();
        return charges.length + refunds.length;
      },
      close: async () => undefined,
    };
  });
});
