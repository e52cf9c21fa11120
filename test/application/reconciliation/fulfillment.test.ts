import { expect } from 'chai';
import { kindOf } from '../error-kind.ts';
import { paidShop } from './paid-shop.ts';

describe('An order whose refunds are pending', () => {
  it('cannot be fulfilled while they would complete the payment', async () => {
    const paid = await paidShop();
    const half = Math.floor(paid.total / 2);
    await paid.refund(half);
    await paid.refund();
    expect(await kindOf(paid.fulfill())).to.equal('invalid-state');
  });

  it('can be fulfilled while they leave a part of it', async () => {
    const paid = await paidShop();
    await paid.refund(paid.total - 1);
    expect((await paid.fulfill()).status).to.equal('fulfilled');
  });

  it('can be fulfilled when they have failed', async () => {
    const paid = await paidShop();
    const { id, amount } = await paid.refund();
    await paid.reports([{ reference: `re_${id}`, refundId: id, amount, status: 'failed', failure: null }]);
    expect((await paid.fulfill()).status).to.equal('fulfilled');
  });
});
