import { expect } from 'chai';
import { stripeProvider } from '#adapters/payment/stripe/provider.ts';
import { StripeProcess } from '../stripe/stripe-process.ts';
import { resultOf } from './failures.ts';
import { describeFollowedCharges } from './followed-charges.ts';
import { openFollowedSandbox, openSandbox } from './open-sandbox.ts';
import { describePaymentProvider } from './payment-provider.ts';
import { wrongFollowed } from './wrong/followed-charges.ts';
import { wrongProviders } from './wrong/providers.ts';

describePaymentProvider('The sandbox', openSandbox);
describeFollowedCharges('The sandbox', openFollowedSandbox);

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

describe('The contract suite of payment providers rejects those that', () => {
  for (const [fault, open, ...promises] of wrongProviders) {
    it(fault, async () => {
      const { failed, passed } = await resultOf((runner) => describePaymentProvider('wrong', open, runner));
      expect(failed).to.include.members(promises);
      // What has nothing to do with the fault is kept.
      expect(passed).to.be.above(0);
    });
  }
});

describe('The contract suite of providers that can be asked later rejects those that', () => {
  for (const [fault, open, ...promises] of wrongFollowed) {
    it(fault, async () => {
      const { failed, passed } = await resultOf((runner) => describeFollowedCharges('wrong', open, runner));
      expect(failed).to.include.members(promises);
      expect(passed).to.be.above(0);
    });
  }
});
