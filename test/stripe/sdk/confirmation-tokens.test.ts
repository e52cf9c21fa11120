import { expect } from 'chai';
import type Stripe from 'stripe';
import { errorOf, runningServer } from './sdk.ts';

const return_url = 'https://shop.example/back';

describe('The Stripe-like server, of a ConfirmationToken', () => {
  const running = runningServer();
  const token = async (payment_method: string) =>
    (await running().stripe.testHelpers.confirmationTokens.create({ payment_method })).id;
  const confirm = (confirmation_token: string, details: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
    running().stripe.paymentIntents.create({
      ...{ amount: 1_000, currency: 'eur', confirm: true, confirmation_token },
      ...details,
    });

  it('confirms an intent with the payment method that it carries, and is used then', async () => {
    const id = await token('pm_card_visa');
    expect(id).to.match(/^ctoken_/);
    const intent = await confirm(id);
    expect(intent).to.include({ status: 'succeeded', payment_method: 'pm_card_visa' });
    const used = await running().stripe.confirmationTokens.retrieve(id);
    expect(used.payment_intent).to.equal(intent.id);
    const error = await errorOf(confirm(id));
    expect(error).to.include({ statusCode: 400, param: 'confirmation_token' });
    expect((await running().server.ledger()).charges).to.have.lengthOf(1);
  });

  it('is not known without being made', async () => {
    const { statusCode, code } = await errorOf(confirm('ctoken_unknown'));
    expect({ statusCode, code }).to.deep.equal({ statusCode: 400, code: 'resource_missing' });
  });

  it('carries the mandate that a debit needs', async () => {
    const debit = { payment_method: 'pm_success_de' };
    const error = await errorOf(
      running().stripe.paymentIntents.create({ ...debit, amount: 1_000, currency: 'eur', confirm: true }),
    );
    expect(error.message).to.include('requires a mandate');
    expect((await confirm(await token('pm_success_de'))).status).to.equal('processing');
  });

  it('leaves the action to Stripe’s library, unless the request says otherwise', async () => {
    for (const [details, type] of [
      [{}, 'use_stripe_sdk'],
      [{ return_url }, 'use_stripe_sdk'],
      [{ return_url, use_stripe_sdk: false }, 'redirect_to_url'],
    ] as const) {
      const { next_action } = await confirm(await token('pm_card_authenticationRequired'), details);
      expect(next_action?.type).to.equal(type);
    }
  });
});
