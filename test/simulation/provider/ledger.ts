import type { ChargeState, NextAction } from '#application/ports/charge.ts';
import type { ProviderObject, ProviderRefund } from '#application/ports/charge-lifecycle.ts';
import type { DisputeDetails } from '#domain/dispute.ts';
import type { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import type { Failure } from '#domain/payment.ts';

/** In every secret and address that only a payer may see. */
export const secretMark = 'never-stored';

export type ChargeStatus =
  | 'waits for the payer'
  | 'waits for the provider'
  | 'authorized'
  | 'taken'
  | 'declined'
  | 'canceled';

interface LedgerCapture {
  /** Null when it was made at the provider. */
  readonly captureId: string | null;
  readonly amount: Money;
  readonly reference: string;
}

export interface LedgerRefund extends Omit<ProviderRefund, 'status' | 'failure'> {
  status: ProviderRefund['status'];
  /** Whether it succeeds first, even if it fails later. */
  readonly isLate: boolean;
  /** Whether something else was asked for. */
  readonly isMistaken: boolean;
}

/** A charge at the provider, with everything that has happened to its money. */
export interface LedgerCharge {
  readonly reference: string;
  readonly paymentId: string;
  /** One that another customer of the provider has made, and that names a payment of the shop all the same. */
  readonly isForeign: boolean;
  readonly amount: Money;
  readonly isManual: boolean;
  /** Where the payer returns to. Null when they are in a page with the provider's library. */
  readonly returnUrl: string | null;
  /** Until when it can be captured. Null when the provider does not say, or captures at once. */
  readonly captureBefore: Instant | null;
  status: ChargeStatus;
  /** What was taken from the payer. */
  taken: Money | null;
  readonly captures: LedgerCapture[];
  readonly refunds: LedgerRefund[];
  disputes: readonly DisputeDetails[];
}

/** What the provider has, whatever is known of it here. It forgets nothing. */
export class Ledger {
  readonly charges: LedgerCharge[] = [];
  readonly #changed: (providerObject: ProviderObject) => void;
  #references = 0;

  /** @param changed is called with each place that has changed */
  constructor(changed: (providerObject: ProviderObject) => void) {
    this.#changed = changed;
  }

  reference(prefix: string): string {
    this.#references += 1;
    return `${prefix}_${this.#references}`;
  }

  open(
    details: Omit<LedgerCharge, 'reference' | 'taken' | 'captures' | 'refunds' | 'disputes'>,
  ): LedgerCharge {
    const reference = this.reference('ch');
    const charge = { ...details, reference, taken: null, captures: [], refunds: [], disputes: [] };
    this.charges.push(charge);
    return charge;
  }

  move(charge: LedgerCharge, status: ChargeStatus): void {
    charge.status = status;
    this.#changed({ kind: 'charge', reference: charge.reference });
  }

  take(charge: LedgerCharge, amount: Money): void {
    charge.taken = { ...amount, amount: amount.amount + (charge.taken?.amount ?? 0) };
    this.move(charge, 'taken');
  }

  refund(charge: LedgerCharge, refund: LedgerRefund): void {
    charge.refunds.push(refund);
    this.#changed({ kind: 'refund', reference: refund.reference });
  }

  endRefund(refund: LedgerRefund, status: 'succeeded' | 'failed'): void {
    refund.status = status;
    this.#changed({ kind: 'refund', reference: refund.reference });
  }

  dispute(charge: LedgerCharge, dispute: DisputeDetails): void {
    const { providerReference: reference } = dispute;
    const others = charge.disputes.filter((one) => one.providerReference !== reference);
    charge.disputes = [...others, dispute];
    this.#changed({ kind: 'dispute', reference });
  }

  /** The charge that the shop has made for a payment. */
  of(paymentId: string): LedgerCharge | undefined {
    return this.charges.find((charge) => charge.paymentId === paymentId && !charge.isForeign);
  }

  at({ kind, reference }: ProviderObject): LedgerCharge | undefined {
    return this.charges.find((charge) => {
      if (kind === 'charge') return charge.reference === reference;
      if (kind === 'refund') return charge.refunds.some((refund) => refund.reference === reference);
      return charge.disputes.some(({ providerReference }) => providerReference === reference);
    });
  }
}

export const declined = (code: string): { readonly declined: Failure } => ({
  declined: { code, message: 'The provider declined.' },
});

/** What is left of the money of a charge, in the minor unit. */
export const leftOf = ({ taken, refunds, disputes }: LedgerCharge): number => {
  const gone = [
    ...refunds.filter(({ status }) => status !== 'failed'),
    ...disputes.filter(({ status }) => ['needs_response', 'under_review', 'lost'].includes(status)),
  ];
  return gone.reduce((left, { amount }) => left - amount.amount, taken?.amount ?? 0);
};

export const stateOf = (charge: LedgerCharge): ChargeState => {
  const { reference, paymentId: id, amount, status, taken, captureBefore } = charge;
  const moved = { reference, id, amount };
  switch (status) {
    case 'waits for the payer':
      return { ...moved, waitsFor: 'payer', nextAction: nextAction(charge) };
    case 'waits for the provider':
      return { ...moved, waitsFor: 'provider' };
    case 'authorized':
      return { ...moved, waitsFor: 'capture', captureBefore };
    case 'taken':
      return { ...moved, amount: taken ?? amount };
    case 'declined':
      return declined('card_declined');
    case 'canceled':
      return { canceled: true, reference };
  }
};

export const nextAction = ({ reference, returnUrl }: LedgerCharge): NextAction =>
  returnUrl === null
    ? { type: 'provider_sdk', clientSecret: `${reference}_${secretMark}` }
    : { type: 'redirect', url: `https://bank.example/${secretMark}/${reference}` };
