import type { Random } from '#test/support/random.ts';
import { type Ledger, type LedgerCharge, type LedgerRefund, leftOf } from './ledger.ts';
import type { Timers } from './timers.ts';

/** When a bank ends a refund, and when one that has succeeded fails, in milliseconds. */
const delays = [1_000, 5_000, 90_000, 3_600_000, 26 * 3_600_000, 5 * 24 * 3_600_000];

const fates = ['ends later', 'is rejected later', 'fails late'] as const;

/** The refunds of the provider: those that it is asked for, and those that are made in its dashboard. */
export class Refunds {
  readonly #timers: Timers;
  readonly #random: Random;
  readonly #ledger: Ledger;
  /** How likely it is that a refund does not succeed at once, for good. */
  readonly #trouble: number;

  constructor(timers: Timers, random: Random, ledger: Ledger) {
    this.#timers = timers;
    this.#random = random;
    this.#ledger = ledger;
    this.#trouble = random.pick([0, 0.3, 0.8]);
  }

  /** Refunds something else than was asked for, at once. */
  mistake(charge: LedgerCharge, refundId: string, amount: LedgerRefund['amount']): LedgerRefund {
    const reference = this.#ledger.reference('re');
    const made = { reference, refundId, amount, isLate: false, isMistaken: true };
    const refund: LedgerRefund = { ...made, status: 'succeeded' };
    this.#ledger.refund(charge, refund);
    return refund;
  }

  /** @returns undefined when less is left of the charge */
  make(
    charge: LedgerCharge,
    refundId: string | null,
    amount: LedgerRefund['amount'],
  ): LedgerRefund | undefined {
    if (amount.amount > leftOf(charge)) return undefined;
    const fate = this.#random.chance(this.#trouble) ? this.#random.pick(fates) : undefined;
    const status = fate === undefined || fate === 'fails late' ? 'succeeded' : 'pending';
    const refund: LedgerRefund = {
      reference: this.#ledger.reference('re'),
      refundId,
      amount,
      status,
      isLate: fate === 'fails late',
      isMistaken: false,
    };
    this.#ledger.refund(charge, refund);
    if (fate === undefined) return refund;
    this.#timers.plan(this.#random.pick(delays), () => {
      this.#timers.note(`a refund ${fate}: ${refund.reference}`);
      this.#ledger.endRefund(refund, fate === 'ends later' ? 'succeeded' : 'failed');
    });
    return refund;
  }

  /** Refunds a charge as in the provider's dashboard, some time or other. */
  planOutside(charge: LedgerCharge): void {
    this.#timers.plan(this.#random.pick(delays), () => {
      const amount = Math.min(leftOf(charge), this.#random.pick([1000, 500, 300]));
      if (amount <= 0) return;
      this.#timers.note(`refunds by itself: ${charge.reference}`);
      this.make(charge, null, { ...charge.amount, amount });
    });
  }
}
