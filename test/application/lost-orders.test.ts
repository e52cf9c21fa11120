import { expect } from 'chai';
import { DomainError } from '#domain/errors.ts';
import { ofEachTest } from '../support/of-each-test.ts';
import { kindOf } from './error-kind.ts';
import { disputed, externalRefund, paidShop } from './reconciliation/paid-shop.ts';

describe('An order whose money was lost in a dispute', () => {
  const paid = ofEachTest(paidShop);

  beforeEach(() => {
    paid.shop.provider.refunds(async ({ refundId }) => ({ reference: `re_${refundId}` }));
  });

  const cancel = (caller = paid.shop.staff) =>
    paid.shop.run(paid.shop.useCases.orders.change, caller, {
      ...{ id: paid.order.id, expectedVersions: undefined, status: 'canceled' },
    });

  const rejection = async (canceling: Promise<unknown>): Promise<string> => {
    try {
      await canceling;
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'invalid-state') return error.message;
      throw error;
    }
    throw new Error('It was canceled.');
  };

  const lose = (amount = paid.total) => paid.reports([], [disputed('dp_x', amount, 'lost')]);

  it('is canceled by staff, and its stock comes back', async () => {
    const before = await paid.stock();
    await lose();
    expect(await cancel()).to.include({ status: 'canceled', paying: false });
    expect(await paid.currentOrder()).to.include({ status: 'canceled' });
    expect(await paid.stock()).to.equal((before ?? 0) + 1000);
    expect(await paid.current()).to.include({ status: 'succeeded' });
    const { rows } = await paid.shop.unitOfWork.read(({ events }) =>
      events.page({}, { after: 0, limit: 100 }),
    );
    expect(rows.at(-1)).to.include({ type: 'order.canceled', orderId: paid.order.id });
  });

  it('is canceled whatever part was refunded or lost, also of more than was paid', async () => {
    await paid.refund(300);
    await lose(paid.total + 100);
    expect(await cancel()).to.include({ status: 'canceled' });
  });

  it('is not canceled twice, so that its stock comes back once', async () => {
    await lose();
    await cancel();
    const after = await paid.stock();
    expect(await rejection(cancel())).to.match(/canceled/);
    expect(await paid.stock()).to.equal(after);
  });

  it('cannot be canceled by its owner', async () => {
    await lose();
    expect(await rejection(cancel(paid.shop.customer))).to.match(/Refund its payment instead/);
    expect(await paid.currentOrder()).to.include({ status: 'paid' });
  });

  it('can have what is left of its money refunded, before and after', async () => {
    await lose(paid.total - 400);
    await cancel();
    const stock = await paid.stock();
    await paid.refund();
    expect((await paid.current()).refunded.amount).to.equal(400);
    expect(await paid.currentOrder()).to.include({ status: 'canceled' });
    expect(await paid.stock()).to.equal(stock);
  });

  it('stays canceled when the dispute is won afterwards, and when everything is refunded then', async () => {
    await lose();
    await cancel();
    const stock = await paid.stock();
    await paid.reports([], [disputed('dp_x', paid.total, 'won')]);
    expect((await paid.current()).disputed.amount).to.equal(0);
    await paid.refund();
    expect(await paid.current()).to.include({ status: 'refunded' });
    expect(await paid.currentOrder()).to.include({ status: 'canceled' });
    expect(await paid.stock()).to.equal(stock);
  });

  it('stays canceled when a refund fails late', async () => {
    await paid.reports([externalRefund('re_1', 300)]);
    await lose(paid.total - 300);
    await cancel();
    await paid.reports([externalRefund('re_1', 300, 'failed')]);
    expect((await paid.current()).refunded.amount).to.equal(0);
    expect(await paid.currentOrder()).to.include({ status: 'canceled' });
  });

  it('is not canceled while another dispute is open, or a refund is pending, and the error names which', async () => {
    for (const status of ['needs_response', 'under_review'] as const) {
      await paid.reports([], [disputed('dp_x', 100, 'lost'), disputed('dp_y', 200, status)]);
      const open = (await paid.disputes()).find((each) => each.providerReference === 'dp_y');
      expect(await rejection(cancel())).to.contain(`dispute ${open?.id} is ${status}`);
    }
    await paid.reports([externalRefund('re_1', 100, 'pending')], [disputed('dp_y', 200, 'won')]);
    expect(await rejection(cancel())).to.match(/refund .* is pending/);
    expect(await paid.currentOrder()).to.include({ status: 'paid' });
  });

  it('is the only paid order that is canceled', async () => {
    expect(await rejection(cancel())).to.match(/Refund its payment instead/);
    for (const status of ['warning', 'closed', 'won'] as const) {
      await paid.reports([], [disputed('dp_x', 100, status)]);
      expect(await rejection(cancel())).to.match(/Refund its payment instead/);
    }
    await paid.reports([], [disputed('dp_x', 100, 'under_review')]);
    expect(await rejection(cancel())).to.match(/dispute .* is under_review/);
  });

  it('is not canceled once it was fulfilled', async () => {
    await lose();
    await paid.fulfill();
    expect(await kindOf(cancel())).to.equal('invalid-state');
  });
});
