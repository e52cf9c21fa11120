import { expect } from 'chai';
import { createApplication } from '#application/application.ts';
import { ApplicationError } from '#application/errors.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { kindOf } from '../error-kind.ts';
import { disputed, euros, externalRefund, type PaidShop, paidShop } from './paid-shop.ts';
import { isHeld, succeeds } from './reconciled-shop.ts';

const hour = 3_600_000;
const dollars = { amount: 100, currency: 'USD' };

describe('A mismatch that an operator resolves', () => {
  const paid = ofEachTest(paidShop);
  let process: ReturnType<PaidShop['shop']['aProcess']>;
  let resolution: ReturnType<typeof createApplication>['manualResolution'];
  beforeEach(() => {
    process = paid.shop.aProcess();
    resolution = createApplication(paid.shop.ports, {
      ...{ lease: 30_000, reconcileAfter: 60_000, orderLifetime: 0 },
    }).manualResolution;
  });

  const refund = (status: 'pending' | 'succeeded' | 'failed' = 'succeeded') => ({
    ...externalRefund('re_x', 100, status),
    amount: dollars,
  });
  const dispute = (status: 'needs_response' | 'won' = 'needs_response') => ({
    ...disputed('dp_x', 100, status),
    amount: dollars,
  });
  const reports = (
    refunds: readonly ReturnType<typeof refund>[],
    disputes = [] as ReturnType<typeof dispute>[],
  ) => paid.shop.becomes(paid.payment.id, succeeds(paid.reference), refunds, disputes);
  const settle = (reference: string, amount: number) =>
    resolution.resolve({ paymentId: paid.payment.id, reference, amount });

  /** Reconciles the charge now, and each hour for some hours. @returns how many mismatches were reported */
  const reported = async () => {
    process.mismatches.splice(0);
    await paid.shop.enqueue({ kind: 'charge', reference: paid.reference });
    await paid.shop.askedWithin(process, 3 * hour, 60_000);
    return process.mismatches.length;
  };

  it('is a refund that counts with their amount, and is not reported again', async () => {
    reports([refund()]);
    expect(await reported()).to.equal(3);
    await settle('re_x', 90);
    expect((await paid.refunds())[0]).to.deep.include({
      ...{ status: 'succeeded', origin: 'provider', providerReference: 're_x', amount: euros(90) },
    });
    expect(await paid.current()).to.deep.include({ status: 'partially_refunded', refunded: euros(90) });
    expect(await reported()).to.equal(0);
    expect(await kindOf(settle('re_x', 80))).to.equal('invalid-state');
  });

  it('is a refund that fails late, with what counted', async () => {
    reports([refund()]);
    await settle('re_x', 90);
    reports([refund('failed')]);
    expect(await reported()).to.equal(0);
    expect(await paid.current()).to.deep.include({ status: 'succeeded', refunded: euros(0) });
  });

  it('is a refund of nothing, which has failed here', async () => {
    reports([refund()]);
    await settle('re_x', 0);
    expect((await paid.refunds())[0]).to.deep.include({ status: 'failed', amount: euros(0) });
    expect((await paid.refunds())[0]?.failure?.code).to.equal('settled_by_operator');
    expect(await paid.current()).to.deep.include({
      ...{ status: 'succeeded', refunded: euros(0), refunding: euros(0) },
    });
    expect(await reported()).to.equal(0);
  });

  it('is a dispute that keeps their amount, and follows the provider in all else', async () => {
    reports([], [dispute()]);
    expect(await reported()).to.equal(3);
    await settle('dp_x', 90);
    expect(await paid.current()).to.deep.include({ disputed: euros(90) });
    expect(await reported()).to.equal(0);
    reports([], [dispute('won')]);
    expect(await reported()).to.equal(0);
    expect((await paid.disputes())[0]).to.deep.include({ status: 'won', amount: euros(90) });
    expect(await paid.current()).to.deep.include({ disputed: euros(0) });
  });

  it('is a dispute that gets another amount from them, until the provider reports one that can be counted', async () => {
    reports([], [dispute()]);
    await settle('dp_x', 90);
    await settle('dp_x', 80);
    expect(await paid.current()).to.deep.include({ disputed: euros(80) });
    paid.shop.becomes(paid.payment.id, succeeds(paid.reference), [], [disputed('dp_x', 100)]);
    expect(await reported()).to.equal(0);
    expect(await paid.current()).to.deep.include({ disputed: euros(100) });
    expect(await kindOf(settle('dp_x', 70))).to.equal('invalid-state');
  });

  it('must be there, have ended, and be at most what is left', async () => {
    reports([refund('pending')]);
    expect(await kindOf(settle('re_y', 1))).to.equal('not-found');
    expect(await kindOf(settle('re_x', 90))).to.equal('invalid-state');
    reports([refund()]);
    expect(await kindOf(settle('re_x', paid.total + 1))).to.equal('amount-exceeded');
    expect(await kindOf(settle('re_x', -1))).to.equal('validation');
    expect(await paid.refunds()).to.deep.equal([]);
  });

  it('is none of the refunds that were asked for here, which have their own id', async () => {
    const { id, amount } = await paid.refund(100);
    const own = { ...refund(), refundId: id, reference: `re_${id}` };
    reports([own]);
    expect(await reported()).to.equal(3);
    expect(process.mismatches).to.include(id);
    expect(await kindOf(settle(own.reference, 90))).to.equal('invalid-state');
    const outcome = { reference: own.reference };
    await paid.shop.run(paid.shop.useCases.refunds.settle, paid.shop.admin, { id, outcome });
    expect(await paid.current()).to.deep.include({ refunded: amount });
    expect(await reported()).to.equal(0);
  });

  it('is no charge of which a capture under way asks for another amount, until that is settled', async () => {
    const { shop } = paid;
    const { payment, reference } = await shop.paid(isHeld, 'manual');
    shop.provider.captures(async () => {
      throw new ApplicationError('provider-timeout', 'No answer came.');
    });
    const input = { paymentId: payment.id, amount: euros(100) };
    await shop.run(shop.useCases.captures.create, shop.staff, input).catch(() => undefined);
    shop.becomes(payment.id, { reference, amount: euros(90) });
    expect(await kindOf(resolution.reconcile(payment.id))).to.equal('invalid-state');
    expect((await shop.paymentOf(payment.id))?.status).to.equal('authorized');
    shop.becomes(payment.id, { reference, amount: euros(100) });
    expect(await resolution.reconcile(payment.id)).to.deep.equal([]);
    expect((await shop.paymentOf(payment.id))?.status).to.equal('succeeded');
  });
});
