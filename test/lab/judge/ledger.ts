/** What a payment provider has, whatever is known of it here: in the words of the domain, and not of one provider. */
export interface ProviderLedger {
  /** Money that was taken from a payer, once for each charge. */
  readonly charges: readonly TakenCharge[];
  /** How money was taken that had been authorized before, by us or in the provider's dashboard. */
  readonly captures: readonly LedgerCapture[];
  /** Those that have failed, too. */
  readonly refunds: readonly LedgerRefund[];
  readonly disputes: readonly LedgerDispute[];
  /** What takes money later, or not at all. */
  readonly open: readonly OpenCharge[];
  /** What takes no money any more. */
  readonly canceled: readonly CanceledCharge[];
}

interface TakenCharge {
  readonly reference: string;
  /** The payment that it names; null when it names none. */
  readonly paymentId: string | null;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
}

interface LedgerCapture {
  readonly reference: string;
  /** Ours; null when it was made at the provider. */
  readonly captureId: string | null;
  /** The reference of its charge. */
  readonly charge: string;
  readonly amount: number;
}

interface LedgerRefund {
  readonly reference: string;
  /** Ours; null when it was made at the provider. */
  readonly refundId: string | null;
  /** The reference of its charge. */
  readonly charge: string;
  readonly amount: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
  /** Whether something else was asked for, and the provider has taken it back: it need not be known here. */
  readonly isMistaken?: boolean;
}

interface LedgerDispute {
  readonly reference: string;
  /** The reference of its charge. */
  readonly charge: string;
  readonly amount: number;
  readonly status: string;
}

interface OpenCharge {
  readonly reference: string;
  readonly paymentId: string | null;
  /** The status that its payment has meanwhile. One that is `unconfirmed` waits for a payer who has not named a card yet. */
  readonly status: 'requires_action' | 'processing' | 'authorized' | 'unconfirmed';
  /** Whether the payer was given what lets them confirm it, again and again. */
  readonly isConfirmable: boolean;
}

interface CanceledCharge {
  readonly reference: string;
  readonly paymentId: string | null;
  readonly inDashboard: boolean;
}
