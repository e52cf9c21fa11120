import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import { Money } from '#domain/money.ts';
import type { Payment } from '#domain/payment.ts';
import type { LedgerCharge } from '../provider/ledger.ts';
import type { SimulatedProvider } from '../provider/provider.ts';

/**
 * Charges that have ended at the provider, as by its merchant, and whose payment still waits here, although the shop was told of it and
 * has had the time to look. Housekeeping would end most of them at last, so the end of a story shows nothing of it.
 */
export const leftWaiting = (
  store: UnitOfWork,
  { ledger, events }: SimulatedProvider,
): Promise<readonly string[]> =>
  store.read(async ({ payments }) => {
    const ended = ledger.charges.filter((charge) => hasEnded(charge) && events.hasToldOf(charge));
    const found = await Promise.all(
      ended.map(async ({ paymentId, status }) => {
        const payment = await payments.find(paymentId as Payment['id']);
        if (payment === undefined || !isWaiting(payment)) return [];
        return [`The payment ${paymentId} is still ${payment.status}, and its charge is ${status}.`];
      }),
    );
    return found.flat();
  });

/** A charge of another amount waits for a person. */
const hasEnded = ({ isForeign, status, taken, amount, isManual }: LedgerCharge): boolean => {
  if (isForeign || status.startsWith('waits') || status === 'authorized') return false;
  return taken === null || isManual || Money.equals(taken, amount);
};

const isWaiting = ({ status }: Payment): boolean =>
  status === 'requires_action' || status === 'processing' || status === 'authorized';
