import { expect } from 'chai';
import { ProviderMismatch } from '#application/errors.ts';
import { checkedProvider } from '#application/payments/checked-provider.ts';
import type { Money } from '#domain/money.ts';
import { rejectionOf } from '../../contracts/harness.ts';
import { aCharge, aRefundRequest, referenceOf } from '../../contracts/payment-provider.ts';
import { forEachCase } from '../../support/for-each-case.ts';
import { cannedServers, stripeAt } from './stripe.ts';

const eur = (amount: number): Money => ({ amount, currency: 'EUR' });

interface Case {
  readonly asked: Money;
  /** What Stripe reports besides the id and the status. */
  readonly said: object;
  readonly isRight: boolean;
}

const cases: readonly Case[] = [
  { asked: eur(450), said: { amount: 450, currency: 'eur' }, isRight: true },
  { asked: eur(450), said: { amount: 450, amount_received: 450, currency: 'eur' }, isRight: true },
  { asked: eur(450), said: { amount: 450, amount_received: 45, currency: 'eur' }, isRight: false },
  { asked: eur(450), said: { amount: 45, currency: 'eur' }, isRight: false },
  { asked: eur(450), said: { amount: 450, currency: 'usd' }, isRight: false },
  { asked: eur(450), said: { amount: 450 }, isRight: false },
  { asked: eur(450), said: { currency: 'eur' }, isRight: false },
  { asked: eur(450), said: { amount: '450', currency: 'eur' }, isRight: false },
  { asked: { amount: 500, currency: 'ISK' }, said: { amount: 50_000, currency: 'isk' }, isRight: true },
  { asked: { amount: 500, currency: 'ISK' }, said: { amount: 500, currency: 'isk' }, isRight: false },
  { asked: { amount: 700, currency: 'MGA' }, said: { amount: 7, currency: 'mga' }, isRight: true },
  { asked: { amount: 500, currency: 'JPY' }, said: { amount: 500, currency: 'jpy' }, isRight: true },
];

describe('What Stripe says it took', () => {
  const canned = cannedServers();
  const provider = (url: string) => checkedProvider(stripeAt(url), () => undefined);
  const outcome = async (outcome: Promise<unknown>): Promise<boolean> => {
    const error = await rejectionOf(outcome).catch(() => undefined);
    if (error !== undefined) expect(error).to.be.instanceOf(ProviderMismatch);
    return error === undefined;
  };

  it('of a charge is the amount that was asked for, or an error', () =>
    forEachCase(cases, async ({ asked, said, isRight }) => {
      const intent = { id: 'pi_1', status: 'succeeded', ...said };
      const server = await canned({ 'POST /v1/payment_intents': { body: intent } });
      const charge = aCharge('pm_card_visa', { amount: asked });
      expect(await outcome(provider(server.url).charge(charge))).to.equal(isRight);
    }));

  it('of a charge that is looked up is the amount that was asked for, or an error', () =>
    forEachCase(cases, async ({ asked, said, isRight }) => {
      const charge = aCharge('pm_card_visa', { amount: asked });
      const metadata = { payment_id: charge.paymentId };
      const intent = { id: 'pi_1', status: 'succeeded', metadata, ...said };
      const server = await canned({ 'GET /v1/payment_intents/search': { body: { data: [intent] } } });
      expect(await outcome(provider(server.url).closeCharge(charge))).to.equal(isRight);
    }));

  it('of a refund is the amount that was asked for, or an error', () =>
    forEachCase(cases, async ({ asked, said, isRight }) => {
      const { amount_received: _, ...refunded } = { amount_received: 0, ...said };
      if ('amount_received' in said && !isRight) return;
      const server = await canned({
        'POST /v1/refunds': { body: { id: 're_1', status: 'succeeded', ...refunded } },
      });
      const request = aRefundRequest('pi_1', { amount: asked });
      expect(await outcome(provider(server.url).refund(request))).to.equal(isRight);
    }));

  it('is for that payment, under an id of Stripe', async () => {
    for (const [words, isRight] of [
      [{ id: 'pi_1', metadata: { payment_id: 'another' } }, false],
      [{ id: '' }, false],
      [{}, false],
      [{ id: 'pi_1', metadata: {} }, true],
    ] as const) {
      const intent = { status: 'succeeded', amount: 450, currency: 'eur', ...words };
      const server = await canned({ 'POST /v1/payment_intents': { body: intent } });
      expect(await outcome(provider(server.url).charge(aCharge('pm_card_visa')))).to.equal(isRight);
    }
  });

  it('is for that refund of that charge, also when it is looked up', async () => {
    const request = aRefundRequest('pi_1');
    const right = { id: 're_1', status: 'succeeded', amount: 450, currency: 'eur', payment_intent: 'pi_1' };
    const metadata = { refund_id: request.refundId };
    for (const [words, isRight] of [
      [{ metadata }, true],
      [{ metadata, payment_intent: { id: 'pi_1' } }, true],
      [{ metadata, payment_intent: 'pi_2' }, false],
      [{ metadata, amount: 451 }, false],
      [{ metadata, id: '' }, false],
    ] as const) {
      const refund = { ...right, ...words };
      const server = await canned({
        'POST /v1/refunds': { body: refund },
        'GET /v1/refunds': { body: { data: [refund] } },
      });
      expect(await outcome(provider(server.url).refund(request))).to.equal(isRight);
      expect(await outcome(provider(server.url).closeRefund(request))).to.equal(isRight);
    }
    const other = { ...right, metadata: { refund_id: 'another' } };
    const server = await canned({ 'POST /v1/refunds': { body: other } });
    expect(await outcome(provider(server.url).refund(request))).to.equal(false);
  });

  it('keeps its reference', async () => {
    const intent = { id: 'pi_1', status: 'succeeded', amount: 450, currency: 'eur' };
    const server = await canned({ 'POST /v1/payment_intents': { body: intent } });
    expect(await referenceOf(provider(server.url).charge(aCharge('pm_card_visa')))).to.equal('pi_1');
  });
});
