import { expect } from 'chai';
import { aCharge, aRefundRequest, referenceOf } from '../../contracts/payment-provider.ts';
import { forEachCase } from '../../support/for-each-case.ts';
import { type Fate, fates, impatientAt } from './late-responses.ts';
import { cannedServers, openOutcomeOf, stripeAt, stripeServer } from './stripe.ts';

describe('A refund by Stripe', () => {
  const stripe = stripeServer();
  const canned = cannedServers();
  const provider = () => stripeAt(stripe().url);
  const charged = (paymentMethod = 'pm_card_visa') => referenceOf(provider().charge(aCharge(paymentMethod)));

  it('refunds a part of the charge, with the refund id in its metadata', async () => {
    const request = aRefundRequest(await charged(), { amount: { amount: 100, currency: 'EUR' } });
    const id = await referenceOf(provider().refund(request));
    const { refunds } = await stripe().ledger();
    expect(refunds).to.have.lengthOf(1);
    expect(refunds[0]).to.include({ id, refund_id: request.refundId, amount: 100 });
    expect(refunds[0]?.payment_intent).to.equal(request.chargeReference);
  });

  it('uses Stripe’s unit of the currency', async () => {
    const server = await canned({ 'POST /v1/refunds': { body: { id: 're_1', status: 'succeeded' } } });
    const request = aRefundRequest('pi_1', { amount: { amount: 500, currency: 'ISK' } });
    await stripeAt(server.url).refund(request);
    expect(server.requests[0]?.headers).to.include({ 'idempotency-key': request.refundId });
    expect(Object.fromEntries(server.requests[0]?.form ?? [])).to.deep.equal({
      payment_intent: 'pi_1',
      amount: '50000',
      'metadata[refund_id]': request.refundId,
    });
  });

  /** A refund whose request fails, or whose response is lost or late. */
  const unlucky = async ([fate, kind, refunded]: Fate) => {
    await stripe().reset();
    const request = aRefundRequest(await charged());
    await stripe().setNetworkFaults({ stallMilliseconds: 60_000 });
    await stripe().script(fate);
    await openOutcomeOf(impatientAt(stripe(), 10_000).provider.refund(request), kind);
    expect((await stripe().ledger()).refunds).to.have.lengthOf(refunded);
    return { request, refunded };
  };

  it('has an unknown outcome when its request fails or its response is lost, and is made once when it is retried', () =>
    forEachCase(fates, async (fate) => {
      const { request } = await unlucky(fate);
      const id = await referenceOf(provider().refund(request));
      expect(await referenceOf(provider().refund(request))).to.equal(id);
      expect((await stripe().ledger()).refunds.map((each) => each.id)).to.deep.equal([id]);
    }));

  it('whose outcome was unknown is found or declined when it is closed', () =>
    forEachCase(fates, async (fate) => {
      const { request, refunded } = await unlucky(fate);
      await stripe().purgeIdempotencyKeys();
      const outcome = await provider().closeRefund(request);
      const { refunds } = await stripe().ledger();
      expect(refunds).to.have.lengthOf(refunded);
      if (refunded) expect(outcome).to.include({ reference: refunds[0]?.id });
      else expect(outcome).to.have.nested.property('declined.code', 'not_refunded');
    }));

  it('is declined when Stripe stored a failure without a refund', async () => {
    const server = await canned({
      'POST /v1/refunds': {
        status: 500,
        headers: { 'Idempotent-Replayed': 'true' },
        body: { error: { type: 'api_error' } },
      },
      'GET /v1/refunds': { body: { data: [] } },
    });
    expect(await stripeAt(server.url).refund(aRefundRequest('pi_1'))).to.deep.equal({
      declined: { code: 'not_refunded', message: 'The provider made no refund.' },
    });
  });

  it('is declined where it is more than the charge', async () => {
    const request = aRefundRequest(await charged(), { amount: { amount: 451, currency: 'EUR' } });
    const outcome = await provider().refund(request);
    expect(outcome).to.have.nested.property('declined.code', 'amount_too_large');
    expect(await provider().refund(request)).to.deep.equal(outcome);
    expect((await stripe().ledger()).refunds).to.deep.equal([]);
  });

  it('is declined where there is no such charge', async () => {
    const outcome = await provider().refund(aRefundRequest('pi_of_nobody'));
    expect(outcome).to.have.nested.property('declined.code', 'resource_missing');
  });

  it('waits for the provider while it is pending or requires an action, and is retrieved again by a retry', () =>
    forEachCase(['pending', 'requires_action'], async (status) => {
      const refund = { id: 're_1', status, amount: 450, currency: 'eur' };
      const server = await canned({
        'POST /v1/refunds': [{ body: refund }, { body: refund, headers: { 'Idempotent-Replayed': 'true' } }],
        'GET /v1/refunds/re_1': { body: { ...refund, status: 'succeeded' } },
      });
      const request = aRefundRequest('pi_1');
      const accepted = { reference: 're_1', amount: request.amount };
      const retry = () => stripeAt(server.url).refund(request);
      expect(await retry()).to.deep.equal({ ...accepted, waitsFor: 'provider' });
      expect(await retry()).to.deep.equal(accepted);
    }));

  it('waits for the provider while the bank processes it, and succeeds under the same reference', async () => {
    const request = aRefundRequest(await charged('pm_card_pendingRefund'));
    const id = await referenceOf(provider().refund(request));
    for (const ask of [provider().refund, provider().closeRefund])
      expect(await ask(request)).to.include({ reference: id, waitsFor: 'provider' });
    await stripe().banksDecide();
    for (const ask of [provider().refund, provider().closeRefund])
      expect(await ask(request))
        .to.include({ reference: id })
        .and.not.have.property('waitsFor');
  });

  it('that was canceled has failed with that code', async () => {
    const refund = { id: 're_1', status: 'canceled', failure_reason: 'merchant_request' };
    const server = await canned({ 'POST /v1/refunds': { body: refund } });
    expect(await stripeAt(server.url).refund(aRefundRequest('pi_1'))).to.deep.equal({
      declined: { code: 'canceled', message: 'The refund was canceled.' },
    });
  });

  it('that failed after it had succeeded is declined with the reason that the bank gave', async () => {
    const request = aRefundRequest(await charged('pm_card_refundFail'));
    await referenceOf(provider().refund(request));
    await stripe().banksDecide();
    expect(await provider().closeRefund(request)).to.deep.equal({
      declined: { code: 'expired_or_canceled_card', message: 'The refund failed.' },
    });
  });

  it('is found among many of the same charge', async () => {
    const chargeReference = await charged();
    const small = () => aRefundRequest(chargeReference, { amount: { amount: 1, currency: 'EUR' } });
    const first = small();
    const outcome = await provider().refund(first);
    await Promise.all(Array.from({ length: 120 }, () => provider().refund(small())));
    expect(await provider().closeRefund(first)).to.deep.equal(outcome);
  });
});
