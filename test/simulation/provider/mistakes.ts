import type { Money } from '#domain/money.ts';
import type { Random } from '#test/support/random.ts';
import { type Ledger, type LedgerCharge, leftOf } from './ledger.ts';
import type { Timers } from './timers.ts';

/** What a provider does wrong with a refund or a capture: it moves another amount, or the money of another charge. */
type Mistake = 'amount' | 'charge';

const mistakes: readonly Mistake[] = ['amount', 'charge'];

/** A provider that now and then does something else than it was asked for, and says what it has done. */
export class Mistakes {
  readonly #timers: Timers;
  readonly #random: Random;
  readonly #ledger: Ledger;
  readonly #chances: { readonly refund: number; readonly capture: number };

  constructor(timers: Timers, random: Random, ledger: Ledger) {
    this.#timers = timers;
    this.#random = random;
    this.#ledger = ledger;
    // Captures are rare.
    this.#chances = { refund: random.chance(0.1) ? 0.5 : 0, capture: random.chance(0.2) ? 0.8 : 0 };
  }

  /** @returns which charge is refunded in place of the one that was asked for, and how much of it; undefined when none is */
  inRefund(
    charge: LedgerCharge,
    asked: Money,
  ): { readonly charge: LedgerCharge; readonly amount: Money } | undefined {
    const mistake = this.#next(this.#chances.refund);
    if (mistake === undefined || asked.amount > leftOf(charge)) return undefined;
    const others = this.#ledger.charges.filter((one) => one !== charge && leftOf(one) >= asked.amount);
    const wrong =
      mistake === 'charge'
        ? { charge: this.#pick(others) ?? this.#foreign(charge, 'taken'), amount: asked }
        : { charge, amount: lessThan(asked) };
    this.#timers.note(`refunds another ${mistake}: ${wrong.charge.reference}`);
    return wrong;
  }

  /** @returns which charge is captured in place of the one that was asked for, and how much of it; undefined when none is */
  inCapture(
    charge: LedgerCharge,
    asked: Money,
  ): { readonly charge: LedgerCharge; readonly amount: Money } | undefined {
    const mistake = this.#next(this.#chances.capture);
    if (mistake === undefined || asked.amount === 1) return undefined;
    const others = this.#ledger.charges.filter((one) => one !== charge && one.status === 'authorized');
    const wrong =
      mistake === 'charge'
        ? { charge: this.#pick(others) ?? this.#foreign(charge, 'authorized'), amount: asked }
        : { charge, amount: lessThan(asked) };
    this.#timers.note(`captures another ${mistake}: ${wrong.charge.reference}`);
    return wrong;
  }

  #next(chance: number): Mistake | undefined {
    return this.#random.chance(chance) ? this.#random.pick(mistakes) : undefined;
  }

  #pick(charges: readonly LedgerCharge[]): LedgerCharge | undefined {
    return charges.length === 0 ? undefined : this.#random.pick(charges);
  }

  /** A charge of another customer of the provider. */
  #foreign({ amount }: LedgerCharge, status: 'taken' | 'authorized'): LedgerCharge {
    const details = { isManual: true, isForeign: true, returnUrl: null, captureBefore: null } as const;
    const foreign = this.#ledger.open({ ...details, paymentId: 'of another', amount, status });
    if (status === 'taken') this.#ledger.take(foreign, amount);
    return foreign;
  }
}

const lessThan = ({ amount, currency }: Money): Money => ({ amount: Math.max(1, amount - 1), currency });
