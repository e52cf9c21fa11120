import { expect } from 'chai';
import { orderAfterPayment, paymentAfter } from '#application/payments/charge-outcome.ts';
import type { ChargeState } from '#application/ports/charge.ts';
import { Instant } from '#domain/instant.ts';
import { Order } from '#domain/order.ts';
import { Payment, type PaymentStatus } from '#domain/payment.ts';
import { aPurchase, later, noon } from '#test/contracts/samples.ts';
import { newId } from '#test/support/machine.ts';

const failure = { code: 'card_declined', message: 'No.' };
const states: Readonly<Record<string, ChargeState>> = {
  succeeded: { reference: 'ch_1' },
  declined: { declined: failure },
  payer: { reference: 'ch_1', waitsFor: 'payer', nextAction: null },
  provider: { reference: 'ch_1', waitsFor: 'provider' },
  capture: { reference: 'ch_1', waitsFor: 'capture', captureBefore: null },
  canceled: { reference: 'ch_1', canceled: true },
};

describe('What became of a charge', () => {
  const { order } = aPurchase();
  const paying = Order.beginPayment({ ...order, status: 'pending', paying: false }, noon);
  const pending = Payment.begin(newId(), paying, 'sandbox', noon);

  /** The status after each state, or the same status where nothing changes. */
  const expected: Readonly<Partial<Record<PaymentStatus, Readonly<Record<string, PaymentStatus>>>>> = {
    pending: {
      ...{ succeeded: 'succeeded', declined: 'failed', payer: 'requires_action', provider: 'processing' },
      ...{ capture: 'authorized', canceled: 'failed' },
    },
    requires_action: {
      ...{ succeeded: 'succeeded', declined: 'failed', payer: 'requires_action', provider: 'processing' },
      ...{ capture: 'authorized', canceled: 'canceled' },
    },
    processing: {
      ...{ succeeded: 'succeeded', declined: 'failed', payer: 'processing', provider: 'processing' },
      ...{ capture: 'authorized', canceled: 'failed' },
    },
    authorized: { canceled: 'canceled', declined: 'canceled', succeeded: 'succeeded' },
    succeeded: {},
    failed: {},
    canceled: {},
    refunded: {},
  };

  for (const [status, after] of Object.entries(expected))
    for (const [name, state] of Object.entries(states))
      it(`leaves a payment that is ${status} ${after[name] ?? status} when the provider returns ${name}`, () => {
        const payment: Payment = { ...pending, status: status as PaymentStatus };
        expect(paymentAfter(payment, state, later(5)).status).to.equal(after[name] ?? status);
      });

  it('is authorized for seven days, unless the provider says until when', () => {
    const until = (captureBefore: Instant | null) =>
      paymentAfter(pending, { reference: 'ch_1', waitsFor: 'capture', captureBefore }, later(5))
        .captureBefore;
    expect(until(null)).to.equal(Instant.plus(noon, 7 * 24 * 3_600_000));
    expect(until(later(9))).to.equal(later(9));
  });

  for (const status of ['pending', 'requires_action', 'processing', 'authorized'] as const)
    it(`releases what was not captured of one that was ${status} and is captured later`, () => {
      const manual: Payment = { ...pending, status, captureMethod: 'manual' };
      const part = { ...pending.amount, amount: 1 };
      const capturedOf = (payment: Payment, state: ChargeState) =>
        Payment.captured(paymentAfter(payment, state, later(5)));
      expect(capturedOf(manual, { reference: 'ch_1', amount: part })).to.deep.equal(part);
      expect(capturedOf(manual, { reference: 'ch_1' })).to.deep.equal(pending.amount);
    });

  it('changes its order only when the payment has succeeded or ended', () => {
    const orderAfter = (name: string) => {
      const state = states[name];
      if (state === undefined) throw new Error(name);
      return orderAfterPayment(paying, paymentAfter(pending, state, later(5)), later(5));
    };
    for (const name of ['payer', 'provider', 'capture']) expect(orderAfter(name)).to.equal(paying);
    expect(orderAfter('succeeded')).to.include({ status: 'paid', paying: false });
    for (const name of ['declined', 'canceled'])
      expect(orderAfter(name)).to.include({ status: 'pending', paying: false, unlockedAt: later(5) });
  });
});
