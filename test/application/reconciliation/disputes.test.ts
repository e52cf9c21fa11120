import { expect } from 'chai';
import type { DisputeStatus } from '#domain/dispute.ts';
import { ofEachTest } from '../../support/of-each-test.ts';
import { kindOf } from '../error-kind.ts';
import { disputed, euros, externalRefund, paidShop } from './paid-shop.ts';

describe('A dispute that the provider reports', () => {
  const paid = ofEachTest(paidShop);

  const reports = (...disputes: ReturnType<typeof disputed>[]) => paid.reports([], disputes);

  it('has one row, with its payment and its order, however often it is reported', async () => {
    await Promise.all([1, 2, 3].map(() => reports(disputed('dp_x', 100))));
    const rows = await paid.disputes();
    expect(rows).to.have.length(1);
    expect(rows[0]).to.deep.include({
      ...{ paymentId: paid.payment.id, orderId: paid.order.id, version: 1 },
      ...disputed('dp_x', 100),
    });
  });

  it('moves by the word of the provider only', async () => {
    for (const status of ['warning', 'needs_response', 'under_review', 'won', 'lost', 'closed'] as const) {
      await reports(disputed('dp_x', 100, status));
      expect((await paid.disputes()).map((row) => row.status)).to.deep.equal([status]);
    }
  });

  const counted: ReadonlySet<DisputeStatus> = new Set(['needs_response', 'under_review', 'lost']);
  for (const status of ['warning', 'needs_response', 'under_review', 'won', 'lost', 'closed'] as const) {
    const isCounted = counted.has(status);
    it(`is deducted from what is left to refund only while it is open or lost (${status})`, async () => {
      await reports(disputed('dp_x', 100, status));
      expect((await paid.current()).disputed).to.deep.equal(euros(isCounted ? 100 : 0));
    });
    const blocks = status === 'needs_response' || status === 'under_review';
    it(`blocks refunds only while it needs a response or is under review (${status})`, async () => {
      await reports(disputed('dp_x', 100, status));
      if (blocks) expect(await kindOf(paid.refund(1))).to.equal('invalid-state');
      else expect((await paid.refund()).amount.amount).to.equal(paid.total - (isCounted ? 100 : 0));
    });
  }

  it('that is lost after a refund leaves nothing below 0', async () => {
    await paid.reports([externalRefund('re_x', paid.total - 1)], [disputed('dp_x', paid.total, 'lost')]);
    expect(await paid.current()).to.deep.include({
      ...{ disputed: euros(paid.total), refunded: euros(paid.total - 1) },
    });
    expect(await kindOf(paid.refund())).to.equal('amount-exceeded');
  });

  it('does not block fulfillment', async () => {
    await reports(disputed('dp_x', paid.total));
    expect((await paid.fulfill()).status).to.equal('fulfilled');
  });

  const mismatched = [
    { amount: 90, currency: 'USD' },
    { amount: 0.5, currency: 'EUR' },
    { amount: -1, currency: 'EUR' },
  ];
  for (const amount of mismatched)
    it(`keeps its amount, with a warning, when it is reported to be of ${amount.amount} ${amount.currency} later`, async () => {
      await reports(disputed('dp_x', 100));
      expect(paid.warnings).to.deep.equal([]);
      expect(await reports({ ...disputed('dp_x', 100, 'lost'), amount })).to.deep.equal([]);
      expect((await paid.disputes())[0]).to.deep.include({ status: 'lost', amount: euros(100) });
      expect(await paid.current()).to.deep.include({ disputed: euros(100) });
      expect(paid.warnings).to.deep.equal([
        {
          ...{ reason: 'mismatched-dispute-amount', paymentId: paid.payment.id, disputeReference: 'dp_x' },
          ...{ reported: `${amount.amount} ${amount.currency}`, recorded: '100 EUR' },
        },
      ]);
    });

  it('follows the amount that is reported later where it can be counted', async () => {
    await reports(disputed('dp_x', 100));
    await reports(disputed('dp_x', 120));
    expect(await paid.current()).to.deep.include({ disputed: euros(120) });
    expect(paid.warnings).to.deep.equal([]);
  });

  it('counts as under review, with a warning, when its status is not known here', async () => {
    await reports(disputed('dp_x', 100, 'arbitration' as DisputeStatus));
    expect((await paid.disputes()).map(({ status }) => status)).to.deep.equal(['under_review']);
    expect(paid.warnings).to.deep.equal([
      { reason: 'unknown-dispute-status', status: 'arbitration', disputeReference: 'dp_x' },
    ]);
  });
});
