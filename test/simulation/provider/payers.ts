import type { Charge } from '#application/ports/charge.ts';
import { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import type { Random } from '#test/support/random.ts';
import { planDispute } from './disputes.ts';
import type { Ledger, LedgerCharge } from './ledger.ts';
import type { Refunds } from './refunds.ts';
import type { Timers } from './timers.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** When a payer acts, in milliseconds since the charge: also around the end of their hour. */
const actDelays = [500, 5 * second, minute, 20 * minute, 59 * minute, 61 * minute];

/** When a bank decides, in milliseconds. */
const decisionDelays = [5 * second, 10 * minute, 25 * hour, 5 * day];

/** How long a charge stays authorized, in milliseconds. */
const authorization = 7 * day;

/** What payers and banks do with charges by themselves. */
export class Payers {
  readonly #timers: Timers;
  readonly #random: Random;
  readonly #ledger: Ledger;
  readonly #refunds: Refunds;
  readonly #chances: {
    readonly miscount: number;
    readonly capture: number;
    readonly cancel: number;
    readonly refund: number;
    readonly dispute: number;
  };

  constructor(timers: Timers, random: Random, ledger: Ledger, refunds: Refunds) {
    this.#timers = timers;
    this.#random = random;
    this.#ledger = ledger;
    this.#refunds = refunds;
    this.#chances = {
      miscount: random.chance(0.05) ? 0.5 : 0,
      capture: random.pick([0, 0.3]),
      cancel: random.pick([0, 0, 0.3]),
      refund: random.pick([0, 0.2, 0.5]),
      dispute: random.pick([0, 0.1, 0.4]),
    };
  }

  /** Begins a charge. @returns undefined when it is declined at once */
  begin({ paymentId, amount, paymentMethod, payer, captureMethod }: Charge): LedgerCharge | undefined {
    if (paymentMethod === 'declining' || (paymentMethod === 'asking' && payer === undefined))
      return undefined;
    const isManual = captureMethod === 'manual';
    const now = Instant.at(this.#timers.now);
    const charge = this.#ledger.open({
      ...{ paymentId, amount, isManual, isForeign: false, returnUrl: payer?.returnUrl ?? null },
      captureBefore: isManual && this.#random.chance(0.5) ? Instant.plus(now, authorization) : null,
      status: paymentMethod === 'asking' ? 'waits for the payer' : 'waits for the provider',
    });
    if (paymentMethod === 'asking') {
      this.#planAct(charge);
      this.#planCancelOutside(charge);
    } else if (paymentMethod === 'deciding') this.#planDecision(charge);
    else this.#agree(charge);
    if (this.#random.chance(0.03)) this.#imitate(charge);
    return charge;
  }

  /** A payer may act at the moment in which their payment is given up, and a merchant in the dashboard. */
  beforeCancellation(charge: LedgerCharge): void {
    if (charge.status === 'waits for the payer' && this.#random.chance(0.4)) this.#act(charge, true);
    if (this.#random.chance(this.#chances.capture)) this.#captureOutside(charge);
  }

  /** A merchant may act in the dashboard at the moment in which a capture arrives. */
  beforeCapture(charge: LedgerCharge): void {
    if (this.#random.chance(this.#chances.capture / 2)) this.#captureOutside(charge);
    if (this.#random.chance(this.#chances.cancel / 2)) this.#cancelOutside(charge);
  }

  /** What may happen to money that was taken. */
  taken(charge: LedgerCharge): void {
    if (this.#random.chance(this.#chances.refund)) this.#refunds.planOutside(charge);
    if (this.#random.chance(this.#chances.dispute))
      planDispute(this.#timers, this.#random, this.#ledger, charge);
  }

  #planAct(charge: LedgerCharge): void {
    if (this.#random.chance(0.2)) return;
    const agrees = this.#random.chance(0.8);
    this.#timers.plan(this.#random.pick(actDelays), () => this.#act(charge, agrees));
  }

  #act(charge: LedgerCharge, agrees: boolean): void {
    if (charge.status !== 'waits for the payer') return;
    this.#timers.note(`a payer ${agrees ? 'consents' : 'declines'}: ${charge.reference}`);
    if (!agrees) this.#ledger.move(charge, 'declined');
    else if (this.#random.chance(0.8)) this.#agree(charge);
    else {
      this.#ledger.move(charge, 'waits for the provider');
      this.#planDecision(charge);
    }
  }

  #planDecision(charge: LedgerCharge): void {
    const agrees = this.#random.chance(0.7);
    this.#timers.plan(this.#random.pick(decisionDelays), () => {
      this.#timers.note(`a bank ${agrees ? 'agrees' : 'declines'}: ${charge.reference}`);
      if (agrees) this.#agree(charge);
      else this.#ledger.move(charge, 'declined');
    });
  }

  #agree(charge: LedgerCharge): void {
    if (charge.isManual) this.#authorize(charge);
    else this.#take(charge);
  }

  #take(charge: LedgerCharge): void {
    const isMiscounted = this.#random.chance(this.#chances.miscount);
    if (isMiscounted) this.#timers.note(`takes another amount: ${charge.reference}`);
    this.#ledger.take(charge, isMiscounted ? miscounted(charge.amount) : charge.amount);
    if (!isMiscounted) this.taken(charge);
  }

  #authorize(charge: LedgerCharge): void {
    this.#ledger.move(charge, 'authorized');
    const left = charge.captureBefore
      ? Instant.milliseconds(charge.captureBefore) - this.#timers.now
      : 6 * day;
    this.#timers.plan(Math.max(left, minute) + this.#random.pick([0, hour]), () => {
      if (charge.status === 'authorized') this.#ledger.move(charge, 'canceled');
    });
    if (this.#random.chance(this.#chances.capture))
      this.#timers.plan(this.#random.pick(actDelays), () => this.#captureOutside(charge));
    this.#planCancelOutside(charge);
  }

  /** A merchant cancels a charge in the dashboard, if it waits for its payer or its capture then. */
  #planCancelOutside(charge: LedgerCharge): void {
    if (!this.#random.chance(this.#chances.cancel)) return;
    this.#timers.plan(this.#random.pick(actDelays), () => this.#cancelOutside(charge));
  }

  #cancelOutside(charge: LedgerCharge): void {
    if (charge.status !== 'waits for the payer' && charge.status !== 'authorized') return;
    this.#timers.note(`cancels by itself: ${charge.reference}`);
    this.#ledger.move(charge, 'canceled');
  }

  /** Captures a charge as in the provider's dashboard, in full or in part. */
  #captureOutside(charge: LedgerCharge): void {
    if (charge.status !== 'authorized') return;
    this.#timers.note(`captures by itself: ${charge.reference}`);
    const amount = { ...charge.amount, amount: this.#random.pick([charge.amount.amount, 600]) };
    charge.captures.push({ captureId: null, amount, reference: charge.reference });
    this.#ledger.take(charge, amount);
    this.taken(charge);
  }

  /** Another customer of the provider makes a charge that names a payment of the shop. */
  #imitate({ paymentId, amount }: LedgerCharge): void {
    const details = { isManual: false, isForeign: true, returnUrl: null, captureBefore: null } as const;
    this.#timers.plan(this.#random.pick(actDelays), () => {
      const charge = this.#ledger.open({ ...details, paymentId, amount, status: 'waits for the provider' });
      this.#ledger.take(charge, amount);
    });
  }
}

const miscounted = (money: Money): Money => ({ ...money, amount: money.amount - 1 });
