import { Money } from '#domain/money.ts';
import type { Payment } from '#domain/payment.ts';
import { ProviderMismatch } from '../errors.ts';
import type { ChargeState } from '../ports/charge.ts';

/** What a provider tells that does not fit what was asked. A person has to look at each. */
export type Mismatches = readonly ProviderMismatch[];

/**
 * Runs work for each of several movements, so that one that does not fit holds back no other.
 * @param work compares before it changes anything
 * @returns those that did not fit
 */
export const apart = async <T>(
  movements: readonly T[],
  work: (movement: T) => Promise<void>,
): Promise<Mismatches> => {
  const mismatches: ProviderMismatch[] = [];
  for (const movement of movements) {
    try {
      await work(movement);
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

/** @throws ProviderMismatch when the provider tells another amount or currency than was asked for */
export const requireSameMoney = (
  process: 'payment' | 'refund',
  { id, amount: asked }: Asked,
  told: Money | undefined,
): void => {
  if (told === undefined || Money.equals(told, asked)) return;
  throw new ProviderMismatch(process, id, `It says ${shown(told)} where ${shown(asked)} was asked.`);
};

/** @throws ProviderMismatch when the provider names another payment or refund */
export const requireSameId = (
  process: 'payment' | 'refund',
  { id }: Asked,
  told: string | null | undefined,
): void => {
  if (told === undefined || told === null || told === id) return;
  throw new ProviderMismatch(process, id, `It names ${told} where ${id} was asked.`);
};

/**
 * Compares what a provider tells of the charge of a payment. Of one that is captured later a part may have been captured.
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
  throw new ProviderMismatch('payment', payment.id, `${what} is of ${shown(part)}, of ${shown(whole)}.`);
};

export const shown = ({ amount, currency }: Money): string => `${amount} ${currency}`;
