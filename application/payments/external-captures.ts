import { Capture } from '#domain/capture.ts';
import type { Instant } from '#domain/instant.ts';
import { Payment } from '#domain/payment.ts';
import type { NewId } from '../ports/system.ts';
import type { Work } from '../ports/unit-of-work.ts';

/**
 * Records the capture of a payment whose money was taken at the provider, as in its dashboard. While a capture from here is under way
 * nothing is recorded: its process learns whether that one has taken the money, and calls this when it has not. The payment is locked, so
 * it never has two captures that have succeeded.
 */
export const recordOutsideCapture =
  (newId: NewId) =>
  (payment: Payment, at: Instant): Work<void> =>
  async ({ captures }) => {
    if (payment.captureMethod !== 'manual' || !Payment.isPaid(payment)) return;
    const found = await captures.findBy('paymentId', [payment.id]);
    if (!found.some(Capture.isLive)) await captures.add(Capture.fromProvider(newId(), payment, at));
  };
