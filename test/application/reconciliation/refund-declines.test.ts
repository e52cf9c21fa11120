import { expect } from 'chai';
import { applyRefundOutcome } from '#application/payments/apply-refund-outcome.ts';
import type { ChargeSnapshot, ProviderRefund } from '#application/ports/charge-lifecycle.ts';
import { applySnapshot } from '#application/reconciliation/apply-snapshot.ts';
import { refundDeclines } from '#application/reconciliation/refund-declines.ts';
import { kindOf } from '../error-kind.ts';
import { disputed, externalRefund, paidShop } from './paid-shop.ts';

/** Declines a refund of the whole payment, at a provider where these refunds were made. */
const declinedAt = async (refunds: readonly ProviderRefund[]) => {
  const paid = await paidShop();
  const { shop, payment, reference } = paid;
  const { clock, newId } = shop.ports;
  const refund = await paid.refund();
  const snapshot: ChargeSnapshot = {
    ...{ reference, paymentId: payment.id, charge: { reference }, refunds, disputes: [] },
  };
  const lifecycle = { ...shop.provider.port.lifecycle, retrieveCharge: async () => snapshot };
  const { settleOutcome, errorOf } = refundDeclines({
    clock,
    provider: { ...shop.provider.port, lifecycle } as typeof shop.provider.port,
    applySnapshot: applySnapshot({ clock, newId, warn: () => undefined }),
    settle: applyRefundOutcome({ clock }).settle,
  });
  const declined = { code: 'charge_already_refunded', message: 'It is refunded already.' };
  const settled = await shop.unitOfWork.run(await settleOutcome(refund, { declined }));
  return { paid, settled, kind: errorOf(settled).kind, declined };
};

describe('A refund that the provider declines', () => {
  it('because less is left there records the external refund first, and is more than is left', async () => {
    const { paid, settled, kind } = await declinedAt([externalRefund('re_x', 100)]);
    expect(kind).to.equal('amount-exceeded');
    expect(settled.failure?.message).to.contain(`is ${paid.total - 100} in the minor unit`);
    expect((await paid.current()).refunded.amount).to.equal(100);
    expect((await paid.current()).refunding.amount).to.equal(0);
  });

  it('for another reason is declined', async () => {
    const { settled, kind, declined } = await declinedAt([]);
    expect(kind).to.equal('payment-declined');
    expect(settled.failure).to.deep.equal(declined);
  });
});

describe('An erasure', () => {
  it('waits for the disputes of its user that are open', async () => {
    const paid = await paidShop();
    const { shop } = paid;
    await paid.fulfill();
    const erase = () => shop.run(shop.useCases.erasures.begin, shop.admin, paid.payment.userId);
    await paid.reports([], [disputed('dp_x', 100)]);
    expect(await kindOf(erase())).to.equal('invalid-state');
    await paid.reports([], [disputed('dp_x', 100, 'lost')]);
    expect(await erase()).to.include({ userId: paid.payment.userId });
  });
});
