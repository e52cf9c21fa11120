import type { ProviderRefund } from '#application/ports/charge-lifecycle.ts';
import { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import type { Failure } from '#domain/payment.ts';
import { aftermathMs, type Scenario } from './scenarios.ts';

/** A refund that has arrived, in the order of arrival. Its id is null when the provider has made it by itself. */
export interface RefundEntry {
  readonly refundId: string | null;
  readonly amount: Money;
  readonly at: Instant;
}

/** The captured money of a charge: none of one that has not succeeded. */
export interface ChargeMoney {
  readonly captured?: Money;
  readonly capturedAt?: Instant;
  readonly scenario?: Scenario;
  readonly hasNoLimit?: true;
}

/** The status of a refund that was accepted. */
export const statusAt = (
  { refundId, at }: RefundEntry,
  { scenario }: ChargeMoney,
  now: Instant,
): ProviderRefund['status'] => {
  const hasEnded = now >= Instant.plus(at, aftermathMs);
  if (refundId === null || scenario?.refunds === undefined) return 'succeeded';
  if (scenario.refunds === 'pending') return hasEnded ? 'succeeded' : 'pending';
  return hasEnded ? 'failed' : 'succeeded';
};

const exceeds = { code: 'amount_too_large', message: 'The refund exceeds what is left of the charge.' };
const disputed = { code: 'charge_disputed', message: 'The charge is disputed.' };

/**
 * Which refunds of a list were accepted: each that the money sufficed for when it arrived. What has failed since is free again.
 * @returns what is left at a time, in the minor unit, and why a further refund is declined
 */
export const acceptedRefunds = (
  money: ChargeMoney,
  list: readonly RefundEntry[],
  now: Instant,
): { readonly accepted: readonly RefundEntry[]; readonly left: number; readonly declined: Failure } => {
  const accepted: RefundEntry[] = [];
  const remainingAt = (time: Instant): number => {
    if (money.hasNoLimit) return Number.POSITIVE_INFINITY;
    if (isDisputed(money, time)) return 0;
    return accepted
      .filter((refund) => statusAt(refund, money, time) !== 'failed')
      .reduce((left, { amount }) => left - amount.amount, money.captured?.amount ?? 0);
  };
  for (const refund of list) if (refund.amount.amount <= remainingAt(refund.at)) accepted.push(refund);
  return { accepted, left: remainingAt(now), declined: isDisputed(money, now) ? disputed : exceeds };
};

/** Whether the payer has disputed the charge. The dispute is lost in the end. */
export const isDisputed = ({ capturedAt, scenario }: ChargeMoney, time: Instant): boolean =>
  scenario?.aftermath === 'disputed' &&
  capturedAt !== undefined &&
  time >= Instant.plus(capturedAt, aftermathMs);
