import type { StripeErrorBody } from './response.ts';

/** Of what merchants may note, these are shown in the ledger. */
export type Metadata = Readonly<Partial<Record<string, string>>> & {
  readonly payment_id?: string;
  readonly refund_id?: string;
  readonly capture_id?: string;
  readonly payer_present?: string;
};

/** https://docs.stripe.com/payments/paymentintents/lifecycle */
type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'canceled'
  | 'succeeded';

type CaptureMethod = 'automatic' | 'automatic_async' | 'manual';

export interface Intent {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  metadata: Metadata;
  /** Milliseconds. */
  readonly createdAt: number;
  clientSecret: string;
  readonly captureMethod: CaptureMethod;
  /** Null when every type of payment method may be used. */
  readonly allowedTypes: readonly string[] | null;
  status: IntentStatus;
  paymentMethod: string | null;
  nextAction: unknown;
  lastPaymentError: StripeErrorBody | null;
  latestCharge: Charge | null;
  canceledAt: number | null;
  cancellationReason: string | null;
  /** Whether a merchant has canceled it in the dashboard. */
  isCanceledInDashboard: boolean;
}

/** Carries what the page of the payer has collected, a mandate included. https://docs.stripe.com/api/confirmation_tokens/object */
export interface ConfirmationToken {
  readonly id: string;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly method: string;
  readonly returnUrl: string | null;
  /** The intent that it has confirmed. */
  usedFor: string | null;
}

export interface Charge {
  readonly id: string;
  readonly createdAt: number;
  readonly intent: Intent;
  readonly paymentMethod: string;
  readonly refunds: Refund[];
  readonly disputes: Dispute[];
  status: 'pending' | 'succeeded' | 'failed';
  captured: boolean;
  amountCaptured: number;
  /** When the money was taken, in milliseconds. */
  paidAt: number;
  /** Until when it can be captured, in milliseconds. */
  captureBefore: number | null;
  /** How the bank decides later, when it does not decide at once. */
  readonly delayed: 'succeeded' | 'failed' | null;
  failure: StripeErrorBody | null;
}

export interface Refund {
  readonly id: string;
  readonly createdAt: number;
  readonly charge: Charge;
  readonly amount: number;
  readonly metadata: Metadata;
  readonly reason: string | null;
  /** Whether it gives back what was authorized and not captured, so that no money has moved. */
  readonly releases: boolean;
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
  failureReason: string | null;
}

/** https://docs.stripe.com/api/disputes/object */
export type DisputeStatus =
  | 'warning_needs_response'
  | 'warning_under_review'
  | 'warning_closed'
  | 'needs_response'
  | 'under_review'
  | 'appeal_needs_response'
  | 'appeal_under_review'
  | 'won'
  | 'lost'
  | 'prevented';

export interface Dispute {
  readonly id: string;
  readonly createdAt: number;
  readonly charge: Charge;
  readonly amount: number;
  readonly reason: string;
  status: DisputeStatus;
  /** Until when evidence is accepted, in milliseconds; null when the bank accepts none. */
  dueAt: number | null;
  evidence: string | null;
  submissions: number;
}

export interface StripeEvent {
  readonly id: string;
  readonly createdAt: number;
  readonly type: string;
  /** The object as it was when the event happened. */
  readonly snapshot: { readonly id: string; readonly object: string };
  /** The webhook endpoints to which it was not delivered yet. */
  readonly pending: Set<string>;
}

/** Where events are delivered to. */
export interface Endpoint {
  readonly id: string;
  readonly createdAt: number;
  readonly payload: 'snapshot' | 'thin';
  /** The newest first. */
  readonly secrets: string[];
  /** Empty for one that has none. */
  name: string;
  description: string;
  metadata: Readonly<Record<string, string>>;
  url: string;
  types: readonly string[];
  isEnabled: boolean;
  /** Whether it gets the events of connected accounts in place of those of this one. */
  readonly isConnect: boolean;
}
