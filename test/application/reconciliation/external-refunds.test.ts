import { expect } from 'chai';
import { ofEachTest } from '../../support/of-each-test.ts';
import { kindOf } from '../error-kind.ts';
import { externalRefund, paidShop } from './paid-shop.ts';

describe('A refund that was made at the provider', () => {
  const paid = ofEachTest(paidShop);

  it('appears as one from the provider, and the payment follows', async () => {
    await paid.reports([externalRefund('re_x', 100)]);
    const [refund] = await paid.refunds();
    expect(refund).to.deep.include({
      ...{ origin: 'provider', status: 'succeeded', providerReference: 're_x', reason: null },
      ...{ amount: { amount: 100, currency: 'EUR' }, failure: null },
    });
    expect(await paid.current()).to.deep.include({
      ...{ status: 'partially_refunded', refunded: { amount: 100, currency: 'EUR' } },
      refunding: { amount: 0, currency: 'EUR' },
    });
    expect(await paid.currentOrder()).to.include({ status: 'paid' });
  });

  it('appears once, however often it is reported, and from however many processes', async () => {
    await Promise.all(
      [1, 2, 3].map(() => paid.reports([externalRefund('re_x', 100), externalRefund('re_x', 100)])),
    );
    await paid.reports([externalRefund('re_x', 100)]);
    expect(await paid.refunds()).to.have.length(1);
    expect((await paid.current()).refunded.amount).to.equal(100);
  });

  it('of all that was paid refunds the order, and returns its stock once', async () => {
    const before = await paid.stock();
    await paid.reports([externalRefund('re_x', paid.total)]);
    await paid.reports([externalRefund('re_x', paid.total)]);
    expect((await paid.current()).status).to.equal('refunded');
    expect(await paid.currentOrder()).to.include({ status: 'refunded' });
    const after = await paid.stock();
    if (typeof before === 'number') expect(after).to.be.greaterThan(before);
    else expect(after).to.equal(before);
  });

  it('leaves a fulfilled order fulfilled', async () => {
    await paid.fulfill();
    await paid.reports([externalRefund('re_x', paid.total)]);
    expect((await paid.current()).status).to.equal('refunded');
    expect(await paid.currentOrder()).to.include({ status: 'fulfilled' });
  });

  it('moves nothing while it is pending, and ends by the word of the provider', async () => {
    await paid.reports([externalRefund('re_x', paid.total, 'pending')]);
    expect(await paid.current()).to.deep.include({ status: 'succeeded' });
    expect((await paid.current()).refunding.amount).to.equal(paid.total);
    expect(await kindOf(paid.refund())).to.equal('amount-exceeded');
    await paid.reports([externalRefund('re_x', paid.total, 'failed')]);
    expect((await paid.refunds()).map(({ status }) => status)).to.deep.equal(['failed']);
    expect((await paid.current()).refunding.amount).to.equal(0);
  });

  it('is reconciled without events while it is pending', async () => {
    await paid.reports([externalRefund('re_x', 100, 'pending')]);
    expect(await paid.shop.find({ kind: 'charge', reference: paid.reference })).to.include({ events: 0 });
  });

  it('that has failed already has a row, and moves nothing', async () => {
    await paid.reports([externalRefund('re_x', 100, 'failed')]);
    expect((await paid.refunds())[0]).to.deep.include({
      ...{ status: 'failed', failure: { code: 'lost_or_stolen_card', message: 'The card is lost.' } },
    });
    expect(await paid.current()).to.deep.include({ status: 'succeeded' });
  });

  it('completes the payment while one of ours is pending, and nothing is left below 0', async () => {
    await paid.refund(paid.total);
    await paid.reports([externalRefund('re_x', paid.total)]);
    expect((await paid.current()).status).to.equal('refunded');
    const [ours] = (await paid.refunds()).filter(({ origin }) => origin === 'portico');
    await paid.reports([
      { ...externalRefund(`re_${ours?.id}`, paid.total, 'failed'), refundId: ours?.id ?? null },
      externalRefund('re_x', paid.total),
    ]);
    expect(await paid.current()).to.deep.include({ status: 'refunded' });
    expect((await paid.current()).refunding.amount).to.equal(0);
  });

  it('of another currency, of nothing or of more than was paid is reported, and not recorded', async () => {
    const wrong = [
      { ...externalRefund('re_x', 100), amount: { amount: 100, currency: 'USD' } },
      ...[
        externalRefund('re_x', 0),
        externalRefund('re_x', -1),
        externalRefund('re_x', paid.total + 1),
        externalRefund('re_x', 0.5),
      ],
    ];
    for (const reported of wrong) expect(await paid.reports([reported])).to.have.length(1);
    expect(await paid.refunds()).to.deep.equal([]);
  });
});

describe('A refund that fails after it had succeeded', () => {
  it('gives its money back to the payment, leaves the order refunded, and is a warning', async () => {
    const paid = await paidShop();
    await paid.reports([externalRefund('re_x', paid.total)]);
    await paid.reports([externalRefund('re_x', paid.total, 'failed')]);
    await paid.reports([externalRefund('re_x', paid.total, 'failed')]);
    const payment = await paid.current();
    expect([payment.status, payment.refunded.amount]).to.deep.equal(['succeeded', 0]);
    expect(await paid.currentOrder()).to.include({ status: 'refunded' });
    const [refund] = await paid.refunds();
    expect(refund).to.deep.include({ status: 'failed' });
    expect(paid.warnings).to.deep.equal([
      {
        ...{ reason: 'refund-failed-late', refundId: refund?.id, paymentId: payment.id },
        orderId: paid.order.id,
      },
    ]);
  });

  it('leaves what else was refunded, and the payment can be refunded again', async () => {
    const paid = await paidShop();
    await paid.reports([externalRefund('re_x', 100), externalRefund('re_y', 50)]);
    await paid.reports([externalRefund('re_x', 100, 'failed'), externalRefund('re_y', 50)]);
    expect(await paid.current()).to.deep.include({ status: 'partially_refunded' });
    expect((await paid.refund()).amount.amount).to.equal(paid.total - 50);
  });

  it('stays failed, whatever an older snapshot says', async () => {
    const paid = await paidShop();
    await paid.reports([externalRefund('re_x', 100)]);
    await paid.reports([externalRefund('re_x', 100, 'failed')]);
    await paid.reports([externalRefund('re_x', 100)]);
    await paid.reports([externalRefund('re_x', 100, 'pending')]);
    expect((await paid.refunds()).map(({ status }) => status)).to.deep.equal(['failed']);
    expect((await paid.current()).refunded.amount).to.equal(0);
  });
});
