import { expect } from 'chai';
import { forEachCase } from '../../support/for-each-case.ts';
import { aPayment, errorOf, runningServer } from './sdk.ts';

describe('The Stripe-like server, where cards are declined', () => {
  const running = runningServer();

  it('declines certain cards with a code, and waits for another one', () =>
    forEachCase(
      [
        ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
        ['pm_card_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
        ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card'],
        ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card'],
        ['pm_card_chargeDeclinedExpiredCard', 'expired_card', ''],
        ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', ''],
        ['pm_card_chargeDeclinedProcessingError', 'processing_error', ''],
      ] as const,
      async ([card, code, decline_code]) => {
        await running().server.reset();
        const { stripe, server } = running();
        const error = await errorOf(stripe.paymentIntents.create(aPayment(card)));
        expect(error).to.include({ statusCode: 402, type: 'StripeCardError', code, decline_code });
        const id = String(error.payment_intent?.id);
        const intent = await stripe.paymentIntents.retrieve(id);
        expect(intent).to.include({ status: 'requires_payment_method', payment_method: null });
        expect(intent.last_payment_error).to.include({ code, charge: intent.latest_charge });
        expect((await server.ledger()).charges).to.deep.equal([]);
        const paid = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
        expect(paid).to.include({ status: 'succeeded', last_payment_error: null });
        expect(paid.latest_charge).to.not.equal(intent.latest_charge);
      },
    ));

  it('knows no other payment method', async () => {
    const error = await errorOf(running().stripe.paymentIntents.create(aPayment('pm_1Unknown')));
    expect(error).to.include({ statusCode: 400, code: 'resource_missing' });
  });
});
