import { Money } from '#domain/money.ts';
import type { Payment } from '#domain/payment.ts';
import { ProviderMismatch } from '../errors.ts';
import type { ChargeState } from '../ports/charge.ts';

/** What a provider reports that differs from what was asked. An operator has to resolve each. */
export type Mismatches = readonly ProviderMismatch[];

/**
 * Runs work for each of several items, so that the mismatch of one holds back no other.
 * @param work compares before it changes anything
 * @returns the mismatches
 */
export const collectMismatches = async <T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<Mismatches> => {
  const mismatches: ProviderMismatch[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (!(error instanceof ProviderMismatch)) throw error;
      mismatches.push(error);
    }
  }
  return mismatches;
};

interface Asked {
  readonly id: string;
  readonly amount: Money;
}

/** @throws ProviderMismatch when the provider reports another amount or currency than was asked for */
export const requireSameMoney = (
  process: 'payment' | 'refund',
  { id, amount: asked }: Asked,
  reported: Money | undefined,
): void => {
  if (reported === undefined || Money.equals(reported, asked)) return;
  throw new ProviderMismatch(
    process,
    id,
    `It reports ${Money.format(reported)} where ${Money.format(asked)} was asked.`,
  );
};

/** @throws ProviderMismatch when the provider names another payment or refund */
export const requireSameId = (
  process: 'payment' | 'refund',
  { id }: Asked,
  reported: string | null | undefined,
): void => {
  if (reported === undefined || reported === null || reported === id) return;
  throw new ProviderMismatch(process, id, `It names ${reported} where ${id} was asked.`);
};

/**
 * Compares what a provider reports of the charge of a payment. Of one that is captured later a part may have been captured.
 * @throws ProviderMismatch for another amount, currency or payment
 */
export const requireCharge = (payment: Payment, charge: ChargeState): void => {
  if ('id' in charge) requireSameId('payment', payment, charge.id);
  if (!('amount' in charge) || charge.amount === undefined) return;
  const isCaptured = payment.captureMethod === 'manual' && !('waitsFor' in charge);
  if (isCaptured) requirePart(payment, payment.amount, charge.amount, 'Its capture');
  else requireSameMoney('payment', payment, charge.amount);
};

/**
 * Compares money that was moved at the provider with the payment that it is part of.
 * @param what such as `Its refund`, with its reference
 * @throws ProviderMismatch for another currency, for an amount that no money has, and for more than the whole
 */
export const requirePart = (payment: Asked, whole: Money, part: Money, what: string): void => {
  if (Money.isPart(part, whole)) return;
  throw new ProviderMismatch(
    'payment',
    payment.id,
    `${what} is of ${Money.format(part)}, of ${Money.format(whole)}.`,
  );
};
