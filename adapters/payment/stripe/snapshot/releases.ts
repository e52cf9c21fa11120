import Stripe from 'stripe';
import { ApplicationError } from '#application/errors.ts';
import type { Call } from '../api/client.ts';
import { refundIdIn } from '../refunds/refund-state.ts';

/**
 * The refunds of a charge that only give back what was authorized and never captured, so that none of the shop's money has moved. Stripe
 * makes none since version 2025-03-31.basil of its API. An account whose own version is older may still get them from its dashboard.
 * https://docs.stripe.com/changelog/basil/2025-03-31/remove-refund-from-partial-capture-and-payment-cancellation-flow
 * @param refunds of the charge, the newest first
 * @throws ApplicationError 'provider-failed' while Stripe does not show yet how the charge was captured
 */
export const releasesAmong = async (
  call: Call,
  refunds: readonly Stripe.Refund[],
  charge: Stripe.Charge | null,
): Promise<readonly Stripe.Refund[]> => {
  if (charge === null) return [];
  const external = refunds.filter((refund) => refundIdIn(refund) === undefined);
  if (!charge.captured) return external;
  // Nothing can be refunded before the capture, which has made the release.
  const released = charge.amount - charge.amount_captured;
  const oldest = refunds.at(-1);
  const first = external.find((refund) => refund === oldest && refund.amount === released);
  return first !== undefined && (await wasCapturedInFull(call, charge)) ? [first] : [];
};

/** Whether the shop's balance shows a charge of which a part was captured with all that was authorized, as older versions do. */
const wasCapturedInFull = async ({ stripe, budget }: Call, charge: Stripe.Charge): Promise<boolean> => {
  const entry = await balanceTransactionOf(
    stripe.charges.retrieve(charge.id, { expand: ['balance_transaction'] }, budget()),
  );
  if (entry === undefined) return false;
  if (entry === null)
    throw new ApplicationError(
      'provider-failed',
      'The payment provider does not show yet what it has taken.',
    );
  // The balance may be in another currency than the charge.
  const rate = entry.exchange_rate ?? 1;
  const distance = (amount: number): number => Math.abs(entry.amount - amount * rate);
  return distance(charge.amount) < distance(charge.amount_captured);
};

/** @returns undefined when the key may not read the balance */
const balanceTransactionOf = async (
  request: Promise<Stripe.Charge>,
): Promise<Stripe.BalanceTransaction | null | undefined> => {
  try {
    const { balance_transaction: entry } = await request;
    return typeof entry === 'string' ? undefined : entry;
  } catch (error) {
    if (error instanceof Stripe.errors.StripePermissionError) return undefined;
    throw error;
  }
};
