import { expect } from 'chai';
import { ApplicationError } from '#application/errors.ts';
import type { ChargeState } from '#application/ports/charge.ts';
import { type CaptureMethod, Payment } from '#domain/payment.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { kindOf } from '../error-kind.ts';
import { euros } from '../reconciliation/paid-shop.ts';
import { asksPayer, isHeld, reconciledShop } from '../reconciliation/reconciled-shop.ts';

const minute = 60_000;

const notCapturable = { code: 'charge_not_capturable', message: 'It was captured already.' };
const noAnswer = async (): Promise<never> => {
  throw new ApplicationError('provider-timeout', 'No answer came.');
};

describe('A capture that was made at the provider', () => {
  const shop = ofEachTest(reconciledShop);
  const process = ofEachTest(() => shop.aProcess());

  const paid = async (state = isHeld, method: CaptureMethod = 'manual') => {
    const { payment, order, reference, providerObject } = await shop.paid(state, method);
    const { id: paymentId } = payment;
    const captured = (amount?: number): ChargeState => ({
      ...{ reference, id: paymentId },
      ...(amount !== undefined && { amount: euros(amount) }),
    });
    const reports = async (charge: ChargeState) => {
      shop.becomes(paymentId, charge);
      await shop.enqueue(providerObject);
      const result = await process.reconcileCharges();
      shop.advance(1_000);
      return result;
    };
    const rows = () => shop.unitOfWork.read(({ captures }) => captures.findBy('paymentId', [paymentId]));
    const current = async () => (await shop.paymentOf(paymentId)) ?? expect.fail('It is gone.');
    const orderNow = async () => shop.unitOfWork.read(({ orders }) => orders.find(order.id));
    const capture = (amount?: number) =>
      shop.run(shop.useCases.captures.create, shop.staff, {
        paymentId,
        ...(amount !== undefined && { amount: euros(amount) }),
      });
    return { payment, providerObject, reference, captured, reports, rows, current, orderNow, capture };
  };

  for (const [words, amount] of [
    ['of all', undefined],
    ['of a part', 100],
  ] as const)
    it(`has one row with its reference and its sum, and pays the order (${words})`, async () => {
      const { payment, reference, captured, reports, rows, current, orderNow } = await paid();
      await reports(captured(amount));
      await reports(captured(amount));
      expect(await rows()).to.have.length(1);
      expect((await rows())[0]).to.deep.include({
        ...{ status: 'succeeded', providerReference: reference, chargeReference: reference, failure: null },
        ...{ amount: euros(amount ?? payment.amount.amount), userId: payment.userId },
      });
      const after = await current();
      expect(after.status).to.equal('succeeded');
      expect(Payment.captured(after)).to.deep.equal((await rows())[0]?.amount);
      expect(await orderNow()).to.include({ status: 'paid', paying: false });
      expect(process.mismatches).to.deep.equal([]);
    });

  it('has one row, from however many processes it is reported', async () => {
    const { captured, reports, rows } = await paid();
    await Promise.all([1, 2, 3].map(() => reports(captured(100))));
    expect(await rows()).to.have.length(1);
  });

  it('has its row although the payer consented only just before', async () => {
    const { captured, reports, rows, current } = await paid(asksPayer);
    await reports(captured(100));
    expect((await rows()).map(({ status, amount }) => [status, amount])).to.deep.equal([
      ['succeeded', euros(100)],
    ]);
    expect(Payment.captured(await current())).to.deep.equal(euros(100));
  });

  it('has no row when nothing was to be captured later', async () => {
    const { captured, reports, rows, current } = await paid(asksPayer, 'automatic');
    await reports(captured());
    expect((await current()).status).to.equal('succeeded');
    expect(await rows()).to.deep.equal([]);
  });

  it('of nothing, of more than was authorized, of another currency or payment is reported, and not recorded', async () => {
    const { payment, captured, reports, rows, current } = await paid();
    const wrong = [
      ...[captured(0), captured(payment.amount.amount + 1), captured(0.5)],
      { ...captured(), amount: { amount: 100, currency: 'USD' } },
      { ...captured(), id: 'another' },
    ];
    for (const charge of wrong) await reports(charge);
    expect(process.mismatches).to.deep.equal(wrong.map(() => payment.id));
    expect((await current()).status).to.equal('authorized');
    expect(await rows()).to.deep.equal([]);
  });

  it('and of which one of ours under way turns out to have been it has that row only', async () => {
    const { captured, reports, rows, current, capture, reference } = await paid();
    shop.provider.captures(noAnswer);
    expect(await kindOf(capture(100))).to.equal('provider-timeout');
    await reports(captured(100));
    expect((await rows()).map(({ status }) => status)).to.deep.equal(['pending']);
    shop.provider.captures(async () => ({ reference, amount: euros(100) }));
    shop.advance(2 * minute);
    expect(await shop.aProcess().recoverAbandonedProcesses()).to.deep.equal({ done: 1, errors: [] });
    expect((await rows()).map(({ status, amount }) => [status, amount])).to.deep.equal([
      ['succeeded', euros(100)],
    ]);
    expect(Payment.captured(await current())).to.deep.equal(euros(100));
  });

  it('while one of ours is under way that comes too late has a row beside the one that failed', async () => {
    const { captured, reports, rows, current, capture } = await paid();
    shop.provider.captures(noAnswer);
    expect(await kindOf(capture())).to.equal('provider-timeout');
    await reports(captured(100));
    shop.provider.captures(async () => ({ declined: notCapturable }));
    shop.advance(2 * minute);
    await shop.aProcess().recoverAbandonedProcesses();
    expect((await rows()).map(({ status, amount }) => [status, amount.amount])).to.deep.equal([
      ['failed', (await current()).amount.amount],
      ['succeeded', 100],
    ]);
    expect(Payment.captured(await current())).to.deep.equal(euros(100));
  });

  it('is recorded before one of ours is rejected because of it, and so is a cancellation', async () => {
    for (const [words, status, ended] of [
      ['captured', 'succeeded', ['failed', 'succeeded']],
      ['canceled', 'canceled', ['failed']],
    ] as const) {
      const { payment, reference, captured, rows, current, capture } = await paid();
      shop.becomes(payment.id, words === 'captured' ? captured(100) : { canceled: true, reference });
      shop.provider.captures(async () => ({ declined: notCapturable }));
      expect(await kindOf(capture())).to.equal('invalid-state');
      expect((await current()).status).to.equal(status);
      expect((await rows()).map((row) => row.status)).to.have.members(ended);
      const failed = (await rows()).find((row) => row.status === 'failed');
      expect(failed?.failure?.message).to.contain(status);
    }
  });

  it('is retrieved at once, without an event, when one of ours is declined', async () => {
    const { payment, captured, rows, capture, providerObject } = await paid();
    shop.provider.captures(async () => ({ declined: notCapturable }));
    expect(await kindOf(capture())).to.equal('payment-declined');
    shop.becomes(payment.id, captured(100));
    expect(await shop.find(providerObject)).to.include({ events: 0, dueAt: shop.now() });
    await process.reconcileCharges();
    expect((await rows()).map(({ status }) => status)).to.have.members(['failed', 'succeeded']);
    expect(await shop.find(providerObject)).to.equal(undefined);
  });
});
