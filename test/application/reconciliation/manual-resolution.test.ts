import { expect } from 'chai';
import { createApplication } from '#application/application.ts';
import { ApplicationError } from '#application/errors.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { kindOf } from '../error-kind.ts';
import { disputed, euros, outside, type PaidShop, paidShop } from './paid-shop.ts';
import { isHeld, succeeds } from './reconciled-shop.ts';

const hour = 3_600_000;
const dollars = { amount: 100, currency: 'USD' };

describe('A movement that does not fit, and that an operator settles', () => {
  const paid = ofEachTest(paidShop);
  let process: ReturnType<PaidShop['shop']['aProcess']>;
  let movements: ReturnType<typeof createApplication>['movements'];
  beforeEach(() => {
    process = paid.shop.aProcess();
    movements = createApplication(paid.shop.ports, {
      ...{ lease: 30_000, reconcileAfter: 60_000, orderLifetime: 0 },
    }).movements;
  });

  const refund = (status: 'pending' | 'succeeded' | 'failed' = 'succeeded') => ({
    ...outside('re_x', 100, status),
    amount: dollars,
  });
  const dispute = (status: 'needs_response' | 'won' = 'needs_response') => ({
    ...disputed('dp_x', 100, status),
    amount: dollars,
  });
  const tells = (
    refunds: readonly ReturnType<typeof refund>[],
    disputes = [] as ReturnType<typeof dispute>[],
  ) => paid.shop.becomes(paid.payment.id, succeeds(paid.reference), refunds, disputes);
  const settle = (reference: string, amount: number) =>
    movements.settle({ paymentId: paid.payment.id, reference, amount });

  /** Looks the charge up now, and each hour for some hours. @returns how many mismatches were reported */
  const reported = async () => {
    process.mismatches.splice(0);
    await paid.shop.note({ kind: 'charge', reference: paid.reference });
    await paid.shop.askedWithin(process, 3 * hour, 60_000);
    return process.mismatches.length;
  };

  it('is a refund that counts with their amount, and is not told of again', async () => {
    tells([refund()]);
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
    tells([refund()]);
    await settle('re_x', 90);
    tells([refund('failed')]);
    expect(await reported()).to.equal(0);
    expect(await paid.current()).to.deep.include({ status: 'succeeded', refunded: euros(0) });
  });

  it('is a refund of nothing, which has failed here', async () => {
    tells([refund()]);
    await settle('re_x', 0);
    expect((await paid.refunds())[0]).to.deep.include({ status: 'failed', amount: euros(0) });
    expect((await paid.refunds())[0]?.failure?.code).to.equal('settled_by_operator');
    expect(await paid.current()).to.deep.include({
      ...{ status: 'succeeded', refunded: euros(0), refunding: euros(0) },
    });
    expect(await reported()).to.equal(0);
  });

  it('is a dispute that keeps their amount, and follows the provider in all else', async () => {
    tells([], [dispute()]);
    expect(await reported()).to.equal(3);
    await settle('dp_x', 90);
    expect(await paid.current()).to.deep.include({ disputed: euros(90) });
    expect(await reported()).to.equal(0);
    tells([], [dispute('won')]);
    expect(await reported()).to.equal(0);
    expect((await paid.disputes())[0]).to.deep.include({ status: 'won', amount: euros(90) });
    expect(await paid.current()).to.deep.include({ disputed: euros(0) });
  });

  it('is a dispute that gets another amount from them, until the provider tells one that fits', async () => {
    tells([], [dispute()]);
    await settle('dp_x', 90);
    await settle('dp_x', 80);
    expect(await paid.current()).to.deep.include({ disputed: euros(80) });
    paid.shop.becomes(paid.payment.id, succeeds(paid.reference), [], [disputed('dp_x', 100)]);
    expect(await reported()).to.equal(0);
    expect(await paid.current()).to.deep.include({ disputed: euros(100) });
    expect(await kindOf(settle('dp_x', 70))).to.equal('invalid-state');
  });

  it('must be there, have ended, and be at most what is left', async () => {
    tells([refund('pending')]);
    expect(await kindOf(settle('re_y', 1))).to.equal('not-found');
    expect(await kindOf(settle('re_x', 90))).to.equal('invalid-state');
    tells([refund()]);
    expect(await kindOf(settle('re_x', paid.total + 1))).to.equal('amount-exceeded');
    expect(await kindOf(settle('re_x', -1))).to.equal('validation');
    expect(await paid.refunds()).to.deep.equal([]);
  });

  it('is none of the refunds that were asked for here, which have their own id', async () => {
    const { id, amount } = await paid.refund(100);
    const told = { ...refund(), refundId: id, reference: `re_${id}` };
    tells([told]);
    expect(await reported()).to.equal(3);
    expect(process.mismatches).to.include(id);
    expect(await kindOf(settle(told.reference, 90))).to.equal('invalid-state');
    const outcome = { reference: told.reference };
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
    expect(await kindOf(movements.lookUp(payment.id))).to.equal('invalid-state');
    expect((await shop.paymentOf(payment.id))?.status).to.equal('authorized');
    shop.becomes(payment.id, { reference, amount: euros(100) });
    expect(await movements.lookUp(payment.id)).to.deep.equal([]);
    expect((await shop.paymentOf(payment.id))?.status).to.equal('succeeded');
  });
});
