import { expect } from 'chai';
import type { CanceledCharge, ChargeState } from '#application/ports/charge.ts';
import { StripeServer } from '../stripe/stripe-server.ts';
import { expectRejection, resultOf } from './failures.ts';
import { describeChargeLifecycle } from './lifecycle/suite.ts';
import { openExpiring, openSandbox, sandboxParts } from './open-sandbox.ts';
import { openStripe } from './open-stripe.ts';
import { describePaymentProvider } from './payment-provider.ts';
import { wrongLifecycles } from './wrong/lifecycle.ts';
import { wrongProviders } from './wrong/providers.ts';

describePaymentProvider('The sandbox', openSandbox);
describeChargeLifecycle('The sandbox', openSandbox, undefined, sandboxParts);

describe('With a provider behind a socket', () => {
  let stripe: StripeServer;
  before(async () => {
    stripe = await StripeServer.start();
  });
  after(() => stripe.stop());

  describePaymentProvider('Stripe', () => openStripe(stripe));
  describeChargeLifecycle('Stripe', () => openStripe(stripe));
});

describe('The contract suite of payment providers rejects those that', () => {
  for (const [fault, open, ...promises] of wrongProviders) {
    it(fault, () => expectRejection((runner) => describePaymentProvider('wrong', open, runner), promises));
  }
});

describe('The contract suite of a charge that is canceled at the provider', () => {
  const promise = 'reports a charge that was canceled at the provider';
  const parts = [...sandboxParts, 'world.cancelExternally'] as const;
  const resultFor = (told: (state: CanceledCharge) => ChargeState) =>
    resultOf(
      (runner) => describeChargeLifecycle('A provider', () => openExpiring(told), runner, parts),
      (each) => each === promise,
    );

  it('accepts that the provider says that it has given the charge up by itself, or does not', async () => {
    const accepted = { failed: [], timedOut: [], passed: [promise] };
    expect(await resultFor((state) => state)).to.deep.equal(accepted);
    expect(await resultFor((state) => ({ ...state, expired: true }))).to.deep.equal(accepted);
  });

  it('rejects any other word on it', async () => {
    const declined = { code: 'expired', message: 'It has expired.' };
    for (const told of [
      (state: CanceledCharge) => ({ ...state, expired: false as never }),
      () => ({ declined }),
      (state: CanceledCharge) => ({ ...state, declined }),
    ])
      expect((await resultFor(told)).failed).to.deep.equal([promise]);
  });
});

describe('The contract suite of providers that can be asked later rejects those that', () => {
  for (const [fault, open, ...promises] of wrongLifecycles) {
    it(fault, () =>
      expectRejection((runner) => describeChargeLifecycle('wrong', open, runner, sandboxParts), promises),
    );
  }
});
