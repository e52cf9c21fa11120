import { Capture } from '#domain/capture.ts';
import type { Instant } from '#domain/instant.ts';
import { Payment } from '#domain/payment.ts';
import type { NewId } from '../ports/system.ts';
import type { Work } from '../ports/unit-of-work.ts';

/**
 * Records the external capture of a payment: one that was made at the provider, as in its dashboard. While a capture from here is under way
 * nothing is recorded: its process learns whether that one has captured the money, and calls this when it has not. The payment is locked, so
 * it never has two captures that have succeeded.
 */
export const recordExternalCapture =
  (newId: NewId) =>
  (payment: Payment, at: Instant): Work<void> =>
  async ({ captures }) => {
    if (payment.captureMethod !== 'manual' || !Payment.isPaid(payment)) return;
    const found = await captures.findBy('paymentId', [payment.id]);
    if (!found.some(Capture.isLive)) await captures.add(Capture.fromProvider(newId(), payment, at));
  };
