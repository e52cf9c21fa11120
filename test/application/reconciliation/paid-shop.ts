import type { ProviderRefund } from '#application/ports/charge-lifecycle.ts';
import { applySnapshot } from '#application/reconciliation/apply-snapshot.ts';
import type { ReconciliationWarning } from '#application/reconciliation/observer.ts';
import type { DisputeDetails } from '#domain/dispute.ts';
import { reconciledShop } from './reconciled-shop.ts';

export const euros = (amount: number) => ({ amount, currency: 'EUR' });

/** A refund that was made at the provider. */
export const externalRefund = (
  reference: string,
  amount: number,
  status: ProviderRefund['status'] = 'succeeded',
): ProviderRefund => ({
  ...{ reference, amount: euros(amount), status, refundId: null },
  failure: status === 'failed' ? { code: 'lost_or_stolen_card', message: 'The card is lost.' } : null,
});

export const disputed = (
  providerReference: string,
  amount: number,
  status: DisputeDetails['status'] = 'needs_response',
): DisputeDetails => ({
  ...{ providerReference, amount: euros(amount), status },
  ...{ reason: 'fraudulent', evidenceDueAt: null },
});

/** A shop with an order that is paid, and the means to record the snapshot of its charge. */
export const paidShop = async () => {
  const shop = await reconciledShop();
  const { order, payment, reference } = await shop.paid((charge) => ({ reference: charge }));
  const warnings: ReconciliationWarning[] = [];
  const { clock, newId } = shop.ports;
  const record = applySnapshot({ clock, newId, warn: (warning) => warnings.push(warning) });

  /** @returns the differences of what does not fit */
  const reports = async (
    refunds: readonly ProviderRefund[],
    disputes: readonly DisputeDetails[] = [],
  ): Promise<readonly string[]> => {
    const recorded = await shop.unitOfWork.run(
      record({ reference, paymentId: payment.id, charge: { reference }, refunds, disputes }),
    );
    return recorded?.mismatches.map(({ difference }) => difference) ?? [];
  };

  const current = async () => {
    const found = await shop.paymentOf(payment.id);
    if (found === undefined) throw new Error('The payment is gone.');
    return found;
  };

  const currentOrder = () => shop.unitOfWork.read(({ orders }) => orders.find(order.id));
  const refunds = () => shop.unitOfWork.read((all) => all.refunds.findBy('paymentId', [payment.id]));
  const disputes = () => shop.unitOfWork.read((all) => all.disputes.findBy('paymentId', [payment.id]));
  const stock = async () => {
    const items = await shop.unitOfWork.read((all) => all.orderItems.findBy('orderId', [order.id]));
    const ids = items.map(({ productId }) => productId);
    return shop.unitOfWork.read(async ({ products }) => (await products.findBy('id', ids))[0]?.stock);
  };

  const refund = (amount?: number) =>
    shop.run(shop.useCases.refunds.create, shop.staff, {
      ...{ paymentId: payment.id, reason: null },
      ...(amount !== undefined && { amount: euros(amount) }),
    });

  const fulfill = () =>
    shop.run(shop.useCases.orders.change, shop.staff, {
      ...{ id: order.id, expectedVersions: undefined, status: 'fulfilled' },
    });

  return {
    ...{ shop, order, payment, reference, total: payment.amount.amount, warnings, reports, current },
    ...{ currentOrder, refunds, disputes, stock, refund, fulfill },
  };
};

export type PaidShop = Awaited<ReturnType<typeof paidShop>>;
