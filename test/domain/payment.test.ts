import { expect } from 'chai';
import fc from 'fast-check';
import type { Money } from '#domain/money.ts';
import { offline, Payment, type PaymentStatus, paymentStatuses } from '#domain/payment.ts';
import { Quantity } from '#domain/quantity.ts';
import { aProduct, aPurchase, later, noon } from '#test/contracts/samples.ts';
import { domainErrorOf } from './domain-error.ts';

const euros = (amount: number): Money => ({ amount, currency: 'EUR' });

const purchase = aPurchase(aProduct({ price: euros(500) }), Quantity.of(2));
const { order, payment: known } = purchase;
const failure = { code: 'card_declined', message: 'The card was declined.' };

const begun = (): Payment => Payment.begin(known.id, order, 'sandbox', noon);
const succeeded = (): Payment => Payment.succeed(begun(), 'ch_1', noon);

/** A refund from beginning to end. */
const refund = (payment: Payment, amount: number): Payment =>
  Payment.completeRefund(Payment.beginRefund(payment, euros(amount), noon), euros(amount), noon);

describe('A payment', () => {
  it('is for the full total of its order, and starts pending', () => {
    expect(Payment.begin(known.id, order, 'sandbox', noon)).to.deep.equal({
      id: known.id,
      version: 1,
      createdAt: noon,
      updatedAt: noon,
      orderId: order.id,
      userId: order.userId,
      amount: euros(1000),
      refunded: euros(0),
      refunding: euros(0),
      status: 'pending',
      provider: 'sandbox',
      providerReference: null,
      failure: null,
      metadata: {},
      ...{ disputed: euros(0), released: euros(0) },
      ...{ captureMethod: 'automatic', actionExpiresAt: null, captureBefore: null, succeededAt: null },
    });
  });

  it('of 0 succeeds at once, without a charge, and is refunded by 0', () => {
    const nothing = Payment.begin(known.id, { ...order, total: euros(0) }, 'sandbox', noon);
    expect(nothing).to.include({
      status: 'succeeded',
      succeededAt: noon,
      providerReference: null,
      version: 1,
    });
    expect(Payment.chargeReference(nothing)).to.equal(null);
    expect(domainErrorOf(() => Payment.beginRefund(nothing, euros(1), noon)).kind).to.equal(
      'amount-exceeded',
    );
    const refunded = refund(nothing, 0);
    expect(refunded).to.deep.include({ status: 'refunded', refunded: euros(0), version: 3 });
    expect(domainErrorOf(() => Payment.beginRefund(refunded, euros(0), noon)).kind).to.equal('invalid-state');
  });

  it('says when its money was taken, at once or by a capture, whatever is given back since', () => {
    const [authorized, taken] = [later(1), later(2)];
    expect(Payment.succeed(begun(), 'ch_1', taken).succeededAt).to.equal(taken);
    const held = Payment.authorize(begun(), 'ch_1', later(1_000), authorized);
    expect(held.succeededAt).to.equal(null);
    expect(Payment.capture(held, euros(400), taken).succeededAt).to.equal(taken);
    expect(refund(Payment.succeed(begun(), 'ch_1', taken), 1000).succeededAt).to.equal(taken);
    const failure = { code: 'declined', message: 'Declined.' };
    expect(Payment.fail(begun(), failure, taken).succeededAt).to.equal(null);
  });

  it('that is offline succeeds at once, with the shop’s reference and without a charge', () => {
    const taken = Payment.receiveOffline(known.id, order, 'Receipt 7', noon);
    expect(taken).to.deep.equal({
      ...begun(),
      ...{ provider: offline, status: 'succeeded', succeededAt: noon, providerReference: 'Receipt 7' },
    });
    expect(Payment.chargeReference(taken)).to.equal(null);
    expect(refund(taken, 1000)).to.include({ status: 'refunded' });
  });

  it('waits for a payer until a time, unless nothing is to be paid', () => {
    const until = later(60);
    expect(Payment.begin(known.id, order, 'sandbox', noon, until).actionExpiresAt).to.equal(until);
    const nothing = { ...order, total: euros(0) };
    expect(Payment.begin(known.id, nothing, 'sandbox', noon, until).actionExpiresAt).to.equal(null);
  });

  it('can be given up while it waits for its payer or its capture', () => {
    for (const status of paymentStatuses) {
      const payment = { ...begun(), status };
      const isCancelable = status === 'requires_action' || status === 'authorized';
      expect(Payment.isCancelable(payment), status).to.equal(isCancelable);
      if (isCancelable) expect(Payment.requireCancelable(payment)).to.equal(payment);
      else expect(() => Payment.requireCancelable(payment), status).to.throw(`that is ${status} cannot`);
    }
  });

  it('succeeds with the provider’s reference', () => {
    const payment = Payment.succeed(begun(), 'ch_1', later(1));
    expect(payment).to.include({
      status: 'succeeded',
      providerReference: 'ch_1',
      failure: null,
      version: 2,
      updatedAt: later(1),
    });
    expect(Payment.chargeReference(payment)).to.equal('ch_1');
  });

  it('waits for its payer, then for its provider, and succeeds or is authorized', () => {
    const acting = Payment.awaitPayer(begun(), 'ch_1', later(1));
    expect(acting).to.deep.include({ status: 'requires_action', providerReference: 'ch_1', version: 2 });
    const processing = Payment.awaitProvider(acting, 'ch_1', later(2));
    expect(processing.status).to.equal('processing');
    expect(Payment.succeed(processing, 'ch_1', later(3)).status).to.equal('succeeded');
    const authorized = Payment.authorize(processing, 'ch_1', later(9), later(3));
    expect(authorized).to.deep.include({ status: 'authorized', captureBefore: later(9) });
    expect(domainErrorOf(() => Payment.awaitPayer(processing, 'ch_1', noon)).kind).to.equal('invalid-state');
    expect(domainErrorOf(() => Payment.awaitProvider(authorized, 'ch_1', noon)).kind).to.equal(
      'invalid-state',
    );
  });

  it('can be given up while its payer has to act, and while it is authorized', () => {
    const acting = Payment.awaitPayer(begun(), 'ch_1', noon);
    expect(Payment.cancel(acting, null, later(1))).to.deep.include({ status: 'canceled', failure: null });
    expect(Payment.cancel({ ...acting, status: 'authorized' }, failure, later(1)).failure).to.equal(failure);
    for (const status of ['pending', 'processing', 'succeeded', 'failed'] as const)
      expect(domainErrorOf(() => Payment.cancel({ ...acting, status }, null, noon)).kind).to.equal(
        'invalid-state',
      );
  });

  it('has taken nothing before it succeeds, and then its amount without what was released', () => {
    expect(Payment.captured(begun())).to.deep.equal(euros(0));
    expect(Payment.captured(succeeded())).to.deep.equal(succeeded().amount);
    const { amount } = succeeded();
    const part = { ...succeeded(), released: { ...amount, amount: amount.amount - 1 } };
    expect(Payment.captured(part)).to.deep.equal(euros(1));
    expect(Payment.captured({ ...part, status: 'refunded' })).to.deep.equal(euros(1));
  });

  it('is live until it has failed or was canceled', () => {
    const live = paymentStatuses.filter((status) => Payment.isLive({ ...begun(), status }));
    expect(live).to.have.members(paymentStatuses.filter((one) => one !== 'failed' && one !== 'canceled'));
  });

  it('fails with a reason', () => {
    const payment = Payment.fail(begun(), failure, later(1));
    expect(payment).to.deep.include({ status: 'failed', failure, providerReference: null, version: 2 });
  });

  it('that did not succeed has no charge', () => {
    expect(() => Payment.chargeReference(begun())).to.throw(TypeError);
  });

  for (const status of paymentStatuses.filter((one) => !Payment.isUndecided({ ...begun(), status: one }))) {
    it(`that is ${status} cannot be settled again`, () => {
      const settled = { ...succeeded(), status };
      expect(domainErrorOf(() => Payment.succeed(settled, 'ch_2', noon)).kind).to.equal('invalid-state');
      expect(domainErrorOf(() => Payment.fail(settled, failure, noon)).kind).to.equal('invalid-state');
    });
  }

  it('takes a payment method of 1 to 255 characters', () => {
    const { paymentMethod } = Payment.rules;
    expect(paymentMethod.violation('t')).to.equal(undefined);
    expect(paymentMethod.violation('t'.repeat(255))).to.equal(undefined);
    expect(paymentMethod.violation('')).to.be.a('string');
    expect(paymentMethod.violation('t'.repeat(256))).to.be.a('string');
  });

  describe('that is refunded', () => {
    it('in part is partially refunded', () => {
      const payment = refund(succeeded(), 400);
      expect(payment).to.deep.include({ status: 'partially_refunded', refunded: euros(400) });
      expect(Payment.refundable(payment)).to.deep.equal(euros(600));
    });

    it('in parts up to the whole is refunded', () => {
      const payment = refund(refund(succeeded(), 400), 600);
      expect(payment).to.deep.include({
        status: 'refunded',
        refunded: euros(1000),
        refunding: euros(0),
      });
      expect(Payment.refundable(payment)).to.deep.equal(euros(0));
    });

    it('keeps its status while the refund is pending, and has less to refund', () => {
      const payment = Payment.beginRefund(succeeded(), euros(1000), noon);
      expect(payment).to.deep.include({
        status: 'succeeded',
        refunded: euros(0),
        refunding: euros(1000),
      });
      expect(Payment.refundable(payment)).to.deep.equal(euros(0));
    });

    it('is being refunded once the pending refunds reach what was captured, and not the whole amount', () => {
      const captured = { ...succeeded(), released: euros(400) };
      const refunding = (refunded: number, pending: number): boolean =>
        Payment.isBeingRefunded({ ...captured, refunded: euros(refunded), refunding: euros(pending) });
      expect(Payment.captured(captured)).to.deep.equal(euros(600));
      expect([refunding(0, 600), refunding(200, 400)]).to.deep.equal([true, true]);
      expect([refunding(0, 599), refunding(600, 0), refunding(0, 0)]).to.deep.equal([false, false, false]);
    });

    it('can be refunded in full again after the refund failed', () => {
      const payment = Payment.beginRefund(succeeded(), euros(1000), noon);
      const abandoned = Payment.abandonRefund(payment, euros(1000), later(1));
      expect(abandoned).to.deep.include({
        status: 'succeeded',
        refunding: euros(0),
        version: 4,
      });
      expect(Payment.refundable(abandoned)).to.deep.equal(euros(1000));
    });

    for (const amount of [1001, Number.MAX_SAFE_INTEGER]) {
      it(`cannot refund ${amount} of 1000`, () => {
        const error = domainErrorOf(() => Payment.beginRefund(succeeded(), euros(amount), noon));
        expect(error.kind).to.equal('amount-exceeded');
      });
    }

    it('cannot refund the amount of a pending refund', () => {
      const payment = Payment.beginRefund(succeeded(), euros(600), noon);
      const error = domainErrorOf(() => Payment.beginRefund(payment, euros(401), noon));
      expect(error.kind).to.equal('amount-exceeded');
      expect(Payment.refundable(Payment.beginRefund(payment, euros(400), noon))).to.deep.equal(euros(0));
    });

    it('rejects a refund of 0', () => {
      const error = domainErrorOf(() => Payment.beginRefund(succeeded(), euros(0), noon));
      expect(error).to.deep.equal({ kind: 'validation', fields: ['amount.amount'] });
    });

    const refundable: readonly PaymentStatus[] = ['succeeded', 'partially_refunded'];
    for (const status of paymentStatuses) {
      const can = refundable.includes(status);
      it(`${can ? 'can' : 'cannot'} be so when it is ${status}`, () => {
        const begin = () => Payment.beginRefund({ ...succeeded(), status }, euros(1), noon);
        if (can) expect(begin().refunding).to.deep.equal(euros(1));
        else expect(domainErrorOf(begin).kind).to.equal('invalid-state');
      });
    }

    it('never refunds more than was paid, in any order of refunds', () => {
      const steps = fc.array(
        fc.tuple(
          fc.constantFrom('begin', 'complete', 'abandon'),
          fc.integer({ min: 1, max: 1100 }),
          fc.nat({ max: 10 }),
        ),
        { maxLength: 40 },
      );
      fc.assert(
        fc.property(steps, (taken) => {
          let payment = succeeded();
          let returned = 0;
          const under: number[] = [];
          for (const [step, amount, anywhere] of taken) {
            if (step === 'begin') {
              const left = Payment.refundable(payment).amount;
              const begin = () => Payment.beginRefund(payment, euros(amount), noon);
              if (payment.status === 'refunded' || amount > left) {
                const kind = payment.status === 'refunded' ? 'invalid-state' : 'amount-exceeded';
                expect(domainErrorOf(begin).kind).to.equal(kind);
                continue;
              }
              payment = begin();
              under.push(amount);
            } else if (under.length > 0) {
              const [settled = 0] = under.splice(anywhere % under.length, 1);
              if (step === 'complete') {
                payment = Payment.completeRefund(payment, euros(settled), noon);
                returned += settled;
              } else payment = Payment.abandonRefund(payment, euros(settled), noon);
            }
            const refunding = under.reduce((sum, one) => sum + one, 0);
            expect(payment.refunded.amount).to.equal(returned);
            expect(payment.refunding.amount).to.equal(refunding);
            expect(returned + refunding).to.be.at.most(1000);
            expect(Payment.refundable(payment).amount).to.equal(1000 - returned - refunding);
            const status =
              returned === 0 ? 'succeeded' : returned === 1000 ? 'refunded' : 'partially_refunded';
            expect(payment.status).to.equal(status);
          }
        }),
      );
    });
  });
});
