import { Money } from '#domain/money.ts';
import { ProviderMismatch } from './errors.ts';
import type { Charge, PaymentProvider, Reversal, Verdict } from './ports/payment-provider.ts';

/** Called with every difference between what was asked of a provider and what it says. */
export type ReportMismatch = (mismatch: ProviderMismatch) => void;

/** What a provider was asked for. */
type Asked = { readonly process: 'payment' | 'refund'; readonly id: string; readonly amount: Money } & {
  readonly chargeReference?: string;
};

/**
 * Compares every verdict of a provider with what was asked. A verdict that differs is never recorded: it is reported, and the
 * payment or refund stays pending.
 */
export const checkedProvider = (provider: PaymentProvider, report: ReportMismatch): PaymentProvider => {
  const check = async (asked: Asked, pending: Promise<Verdict>): Promise<Verdict> => {
    const verdict = await pending;
    const difference = differenceOf(asked, verdict);
    if (difference === undefined) return verdict;
    const mismatch = new ProviderMismatch(asked.process, asked.id, difference);
    report(mismatch);
    throw mismatch;
  };
  const charged = ({ paymentId: id, amount }: Pick<Charge, 'paymentId' | 'amount'>): Asked => ({
    process: 'payment',
    id,
    amount,
  });
  const reversed = ({ refundId: id, amount, chargeReference }: Reversal): Asked => ({
    process: 'refund',
    id,
    amount,
    chargeReference,
  });

  return {
    get name() {
      return provider.name;
    },
    get idempotencyWindowMs() {
      return provider.idempotencyWindowMs;
    },
    charge: (charge) => check(charged(charge), provider.charge(charge)),
    closeCharge: (charge) => check(charged(charge), provider.closeCharge(charge)),
    reverse: (reversal) => check(reversed(reversal), provider.reverse(reversal)),
    closeReversal: (reversal) => check(reversed(reversal), provider.closeReversal(reversal)),
  };
};

/** How a verdict differs from what was asked. @returns undefined when it can be recorded */
const differenceOf = (asked: Asked, verdict: Verdict): string | undefined => {
  // A provider from outside may say anything, whatever its types promise.
  if (typeof verdict !== 'object' || verdict === null) return 'It gave no verdict.';
  if ('declined' in verdict) {
    const { code, message } = verdict.declined ?? {};
    return isText(code) && isText(message) ? undefined : 'It declined without a code and a message.';
  }
  const { reference, amount, id, chargeReference } = verdict;
  if (!isText(reference)) return 'It gave no reference.';
  if (amount !== undefined && !isSameMoney(amount, asked.amount)) {
    return `It says ${shown(amount)} where ${shown(asked.amount)} was asked.`;
  }
  if (id !== undefined && id !== asked.id) return `It names ${id} where ${asked.id} was asked.`;
  if (chargeReference !== undefined && chargeReference !== asked.chargeReference) {
    return `It names the charge ${chargeReference} where ${asked.chargeReference} was asked.`;
  }
  return undefined;
};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isSameMoney = (amount: Money | null, asked: Money): boolean =>
  amount !== null && Money.equals(amount, asked);

const shown = (money: Money | null): string =>
  money === null ? 'no amount' : `${money.amount} ${money.currency}`;
