import type { Evidence } from './evidence.ts';
import { type Draft, goodWorld, outcome, parsed } from './world.ts';

const day = Date.parse('2026-01-01T00:00:00.000Z');
const ofAda = { userId: 'ada', createdAt: day };
const order = { ...ofAda, status: 'paid', total: 2_000, itemCount: 1, paying: false };
const item = { productId: 'news', unitPrice: 2_000, quantity: 1_000, total: 2_000, counted: false };
const payment = {
  ...{
    ...ofAda,
    amount: 2_000,
    released: 0,
    refunded: 0,
    refunding: 0,
    disputed: 0,
    isAsked: true,
    isManual: false,
  },
  ...{ currency: 'EUR', provider: 'stripe' },
};
const key = { userId: 'ada', hasResponse: true, unsettled: false };

/**
 * Beside the other orders: one that was captured in part, refunded at the provider, disputed, and of which a refund has failed late, and
 * one whose first payment was given up, and whose second waits for its payer. Nothing is wrong with any of it.
 */
export const liveWorld = (): Draft<Evidence> => {
  const world = goodWorld();
  const { rows, ledger, clientOutcomes } = world;
  rows.orders.push({ ...order, id: 'order-5' }, { ...order, id: 'order-6', status: 'pending', paying: true });
  rows.items.push(
    { ...item, id: 'item-7', orderId: 'order-5' },
    { ...item, id: 'item-8', orderId: 'order-6' },
  );
  rows.payments.push(
    {
      ...{ ...payment, id: 'payment-5', orderId: 'order-5', reference: 'pi_5' },
      ...{ status: 'partially_refunded', isManual: true, released: 500, refunded: 300, disputed: 200 },
    },
    { ...payment, id: 'payment-6', orderId: 'order-6', reference: 'pi_6', status: 'requires_action' },
    { ...payment, id: 'payment-7', orderId: 'order-6', reference: 'pi_7', status: 'canceled' },
  );
  const ofStripe = { paymentId: 'payment-5', provider: 'stripe' };
  rows.refunds.push(
    { ...ofStripe, id: 'refund-5', origin: 'provider', status: 'succeeded', amount: 300, reference: 're_5' },
    { ...ofStripe, id: 'refund-6', origin: 'portico', status: 'failed', amount: 100, reference: 're_6' },
  );
  rows.captures.push({
    id: 'capture-5',
    paymentId: 'payment-5',
    status: 'succeeded',
    amount: 1_500,
    reference: 'pi_5',
  });
  rows.disputes.push({
    ...{ id: 'dispute-5', paymentId: 'payment-5', status: 'under_review', amount: 200, reference: 'du_5' },
  });
  rows.keys.push(
    { ...key, key: 'order-key-5', process: null, subject: null },
    { ...key, key: 'order-key-6', process: null, subject: null },
    { ...key, key: 'payment-key-5', process: 'payment', subject: 'payment-5' },
    { ...key, key: 'payment-key-6', process: 'payment', subject: 'payment-6' },
    { ...key, key: 'payment-key-7', process: 'payment', subject: 'payment-7' },
    { ...key, key: 'capture-key', process: 'capture', subject: 'capture-5' },
    { ...key, key: 'late-key', process: 'refund', subject: 'refund-6' },
    { ...key, key: 'give-up-key', process: 'cancellation', subject: 'payment-7' },
  );
  const ofCharge = { charge: 'pi_5' };
  ledger.charges.push({ reference: 'pi_5', paymentId: 'payment-5', amount: 1_500, currency: 'EUR' });
  ledger.captures.push({ ...ofCharge, reference: 'pi_5', captureId: 'capture-5', amount: 1_500 });
  ledger.refunds.push(
    { ...ofCharge, reference: 're_5', refundId: null, amount: 300, status: 'succeeded' },
    { ...ofCharge, reference: 're_6', refundId: 'refund-6', amount: 100, status: 'failed' },
  );
  ledger.disputes.push({ ...ofCharge, reference: 'du_5', amount: 200, status: 'under_review' });
  ledger.open.push({
    ...{ reference: 'pi_6', paymentId: 'payment-6', status: 'requires_action', isConfirmable: true },
  });
  const told = (id: string, status: string, reference: string, amount = 2_000) =>
    parsed(201, { id, status, reference, amount });
  const about = (
    subjectId: string,
    kind: 'capture' | 'refund' | 'cancellation',
    name: string,
    what = parsed(0, null),
  ) => ({
    ...outcome(kind, name, what),
    subjectId,
  });
  clientOutcomes.push(
    outcome('order', 'order-key-5', parsed(201, { id: 'order-5', amount: 2_000, itemCount: 1 })),
    outcome('order', 'order-key-6', parsed(201, { id: 'order-6', amount: 2_000, itemCount: 1 })),
    outcome('payment', 'payment-key-5', told('payment-5', 'authorized', 'pi_5')),
    outcome('payment', 'payment-key-6', told('payment-6', 'requires_action', 'pi_6')),
    outcome('payment', 'payment-key-7', told('payment-7', 'requires_action', 'pi_7')),
    about('payment-5', 'capture', 'capture-key', told('capture-5', 'succeeded', 'pi_5', 1_500)),
    about('payment-5', 'refund', 'late-key', told('refund-6', 'succeeded', 're_6', 100)),
    about('payment-7', 'cancellation', 'give-up-key', parsed(200, { id: 'payment-7', status: 'canceled' })),
  );
  return world;
};
