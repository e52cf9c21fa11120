import type { Ledger } from '../stripe/account.ts';
import type { ProviderLedger } from './judge/ledger.ts';

/** What an intent waits for. One with another status waits for a payer to confirm it. */
const waiting: Readonly<Record<string, ProviderLedger['open'][number]['status']>> = {
  requires_action: 'requires_action',
  processing: 'processing',
  requires_capture: 'authorized',
};

const disputeStatuses: Readonly<Record<string, string>> = {
  warning_needs_response: 'warning',
  warning_under_review: 'warning',
  warning_closed: 'closed',
};

/** What the Stripe-like server has, in the words of the domain. */
export const stripeLedger = (ledger: Ledger): ProviderLedger => {
  const inDashboard = new Set(ledger.capturedInDashboard);
  return {
    charges: ledger.charges.map(({ id, payment_id, amount, currency }) => ({
      ...{ reference: id, paymentId: payment_id, amount, currency: currency.toUpperCase() },
    })),
    captures: ledger.charges
      .filter(({ id, capture_id }) => capture_id !== null || inDashboard.has(id))
      .map(({ id, capture_id, amount }) => ({ reference: id, charge: id, captureId: capture_id, amount })),
    refunds: [
      ...ledger.refunds.map((refund) => ({
        ...refundOf(refund),
        status: refund.status === 'succeeded' ? ('succeeded' as const) : ('pending' as const),
      })),
      ...ledger.failedRefunds.map((refund) => ({ ...refundOf(refund), status: 'failed' as const })),
    ],
    disputes: ledger.disputes.map(({ id, payment_intent, amount, status }) => ({
      ...{ reference: id, charge: payment_intent, amount, status: disputeStatuses[status] ?? status },
    })),
    open: ledger.open.map(({ id, payment_id, status, payer_present }) => ({
      ...{ reference: id, paymentId: payment_id, isConfirmable: payer_present },
      status: waiting[status] ?? 'unconfirmed',
    })),
    canceled: ledger.canceled.map(({ id, payment_id, in_dashboard }) => ({
      ...{ reference: id, paymentId: payment_id, inDashboard: in_dashboard },
    })),
  };
};

const refundOf = ({ id, refund_id, payment_intent, amount }: Ledger['failedRefunds'][number]) => ({
  ...{ reference: id, refundId: refund_id, charge: payment_intent, amount },
});
