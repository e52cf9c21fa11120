import { expect } from 'chai';
import { ApplicationError } from '#application/errors.ts';
import type { ChargeState } from '#application/ports/charge.ts';
import type { ProviderRefund } from '#application/ports/charge-lifecycle.ts';
import { Instant } from '#domain/instant.ts';
import type { RefundId } from '#domain/refund.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { reconciledShop } from './reconciled-shop.ts';

const hour = 3_600_000;
const failure = { code: 'expired_card', message: 'The card has expired.' };

const succeeds = (reference: string): ChargeState => ({ reference });

describe('What the provider reports of refunds that it has accepted', () => {
  const shop = ofEachTest(reconciledShop);
  const process = ofEachTest(() => shop.aProcess());

  /** A refund of the whole payment that the provider has accepted, and what it reports of it. */
  const accepted = async () => {
    const { order, payment, providerObject, reference } = await shop.paid(succeeds);
    const refund = await shop.run(shop.useCases.refunds.create, shop.staff, {
      paymentId: payment.id,
      reason: null,
    });
    expect(refund).to.include({ status: 'pending', providerReference: `re_${refund.id}` });
    const reported: ProviderRefund = {
      ...{ reference: `re_${refund.id}`, refundId: refund.id, amount: refund.amount },
      ...{ status: 'pending', failure: null },
    };
    const reports = async (words: Partial<ProviderRefund>) => {
      shop.becomes(payment.id, succeeds(reference), [{ ...reported, ...words }]);
      await shop.enqueue(providerObject);
      await process.reconcileCharges();
      shop.advance(1_000);
    };
    const current = async () => ({
      refund: await shop.unitOfWork.read(({ refunds }) => refunds.find(refund.id)),
      payment: await shop.paymentOf(payment.id),
      order: await shop.unitOfWork.read(({ orders }) => orders.find(order.id)),
    });
    return { reports, current, providerObject, refund };
  };

  it('leaves one pending that is not finished, and asks again', async () => {
    const { reports, current, providerObject } = await accepted();
    const before = await current();
    await reports({});
    expect(await current()).to.deep.equal(before);
    expect(await shop.find(providerObject)).to.include({ attempts: 0 });
  });

  it('ends one that succeeds, with its payment and its order', async () => {
    const { reports, current, providerObject } = await accepted();
    await reports({ status: 'succeeded' });
    const { refund, payment, order } = await current();
    expect([refund?.status, payment?.status, order?.status]).to.deep.equal([
      'succeeded',
      'refunded',
      'refunded',
    ]);
    expect(payment?.refunding.amount).to.equal(0);
    expect(await shop.find(providerObject)).to.equal(undefined);
  });

  it('ends one that fails, and its money can be refunded again', async () => {
    const { reports, current, providerObject } = await accepted();
    await reports({ status: 'failed', failure });
    const { refund, payment, order } = await current();
    expect(refund).to.deep.include({ status: 'failed', failure });
    expect([payment?.status, payment?.refunding.amount, order?.status]).to.deep.equal([
      'succeeded',
      0,
      'paid',
    ]);
    expect(await shop.find(providerObject)).to.equal(undefined);
  });

  it('ends it once, however often it is reported', async () => {
    const { reports, current } = await accepted();
    await reports({ status: 'succeeded' });
    const ended = await current();
    await reports({ status: 'succeeded' });
    await reports({ status: 'pending' });
    expect(await current()).to.deep.equal(ended);
  });

  it('records nothing of another amount, which is reported and retrieved hourly', async () => {
    const { reports, current, providerObject, refund } = await accepted();
    const before = await current();
    await reports({ status: 'succeeded', amount: { amount: 1, currency: 'EUR' } });
    expect(await current()).to.deep.equal(before);
    expect(process.mismatches).to.deep.equal([refund.id]);
    expect(await shop.find(providerObject)).to.include({ dueAt: Instant.plus(shop.now(), hour - 1_000) });
  });

  it('are retrieved again while their request is in flight, since its outcome may be older than the snapshot', async () => {
    const { payment, providerObject, reference } = await shop.paid(succeeds);
    let refundId = '';
    shop.provider.refunds(async (request) => {
      refundId = request.refundId;
      throw new ApplicationError('provider-timeout', 'No answer came.');
    });
    const input = { paymentId: payment.id, reason: null };
    await shop.run(shop.useCases.refunds.create, shop.staff, input).catch(() => undefined);
    const reported = { reference: `re_${refundId}`, refundId, amount: payment.amount };
    shop.becomes(payment.id, succeeds(reference), [{ ...reported, status: 'failed', failure }]);
    await shop.enqueue(providerObject);
    await process.reconcileCharges();
    expect(process.results).to.deep.equal(['leased']);

    // The outcome on the first request, as a provider repeats it.
    shop.provider.refunds(async () => ({ reference: reported.reference }));
    shop.advance(hour);
    await process.recoverAbandonedProcesses();
    await shop.askedWithin(process, 1_000);
    const refund = await shop.unitOfWork.read(({ refunds }) => refunds.find(refundId as RefundId));
    expect(refund).to.deep.include({ status: 'failed', failure });
    expect(await shop.find(providerObject)).to.equal(undefined);
  });
});
