import { expect } from 'chai';
import { stripeProvider } from '#adapters/payment/stripe/provider.ts';
import type { Charge } from '#application/ports/payment-provider.ts';
import { aCharge } from '../../contracts/payment-provider.ts';
import { sdkAt } from '../../stripe/sdk/sdk.ts';
import { cannedServers, secretKey, stripeServer } from './stripe.ts';

const returnUrl = 'https://shop.example/back';
const authenticated = 'pm_card_authenticationRequired';
const debit = 'pm_success_de';

describe('A ConfirmationToken of Stripe', () => {
  const stripe = stripeServer();
  const canned = cannedServers();
  const methods = ['card', 'sepa_debit'];
  const provider = (apiBase = stripe().url) =>
    stripeProvider({ secretKey, apiBase, methods, timeoutMs: 10_000 });
  /** What Stripe.js makes of its fields. */
  const token = async (payment_method: string) =>
    (await sdkAt(stripe().url, 'sk_test_1').testHelpers.confirmationTokens.create({ payment_method })).id;
  const charge = async (method: string, details: Partial<Charge> = {}) =>
    provider().charge(aCharge(await token(method), details));

  it('is charged as a PaymentMethod is, once per payment', async () => {
    const paid = aCharge(await token('pm_card_visa'));
    const state = await provider().charge(paid);
    expect(state).to.include({ id: paid.paymentId }).and.not.have.property('waitsFor');
    expect(await provider().charge(paid)).to.deep.equal(state);
    expect((await stripe().ledger()).charges).to.have.lengthOf(1);
  });

  it('lets a debit be processed, which a PaymentMethod without a mandate does not', async () => {
    const declined = await provider().charge(aCharge(debit));
    expect(declined).to.have.nested.property('declined.message').that.includes('mandate');
    for (const payer of [undefined, { returnUrl: null }, { returnUrl }])
      expect(await charge(debit, payer && { payer })).to.include({ waitsFor: 'provider' });
  });

  it('asks the payer as a PaymentMethod does: in the page, at an address, or not at all', async () => {
    const inPage = await charge(authenticated, { payer: { returnUrl: null } });
    expect(inPage).to.have.nested.property('nextAction.type', 'provider_sdk');
    const atAddress = await charge(authenticated, { payer: { returnUrl } });
    expect(atAddress).to.have.nested.property('nextAction.type', 'redirect');
    const absent = await charge(authenticated);
    expect(absent).to.have.nested.property('declined.code', 'authentication_required');
  });

  it('is sent alone, and is in no error', async () => {
    const id = 'ctoken_1TheTokenOfThePayer';
    const message = `No such confirmationtoken: '${id}'`;
    const error = { type: 'invalid_request_error', code: 'resource_missing', message };
    const server = await canned({ 'POST /v1/payment_intents': { status: 400, body: { error } } });
    const declined = await provider(server.url).charge(aCharge(id));
    expect(declined).to.have.nested.property('declined.message', "No such confirmationtoken: '…'");
    const form = server.requests[0]?.form;
    expect(form?.get('confirmation_token')).to.equal(id);
    expect(form?.has('payment_method')).to.equal(false);
  });
});
