import { StripeServer } from '../stripe/stripe-server.ts';
import { expectRejection } from './failures.ts';
import { describeFollowedCharges } from './followed/suite.ts';
import { openSandbox, sandboxParts } from './open-sandbox.ts';
import { openStripe } from './open-stripe.ts';
import { describePaymentProvider } from './payment-provider.ts';
import { wrongFollowed } from './wrong/followed.ts';
import { wrongProviders } from './wrong/providers.ts';

describePaymentProvider('The sandbox', openSandbox);
describeFollowedCharges('The sandbox', openSandbox, undefined, sandboxParts);

describe('With a provider behind a socket', () => {
  let stripe: StripeServer;
  before(async () => {
    stripe = await StripeServer.start();
  });
  after(() => stripe.stop());

  describePaymentProvider('Stripe', () => openStripe(stripe));
  describeFollowedCharges('Stripe', () => openStripe(stripe));
});

describe('The contract suite of payment providers rejects those that', () => {
  for (const [fault, open, ...promises] of wrongProviders) {
    it(fault, () => expectRejection((runner) => describePaymentProvider('wrong', open, runner), promises));
  }
});

describe('The contract suite of providers that can be asked later rejects those that', () => {
  for (const [fault, open, ...promises] of wrongFollowed) {
    it(fault, () =>
      expectRejection((runner) => describeFollowedCharges('wrong', open, runner, sandboxParts), promises),
    );
  }
});
