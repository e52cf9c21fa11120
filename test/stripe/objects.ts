import type { StripeErrorBody } from './response.ts';

/** Of what merchants may note, these are shown in the ledger. */
export type Metadata = Readonly<Partial<Record<string, string>>> & {
  readonly payment_id?: string;
  readonly refund_id?: string;
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

export type CaptureMethod = 'automatic' | 'automatic_async' | 'manual';

export interface Intent {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Metadata;
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
}

export interface Charge {
  readonly id: string;
  readonly createdAt: number;
  readonly intent: Intent;
  readonly paymentMethod: string;
  readonly refunds: Refund[];
  status: 'pending' | 'succeeded' | 'failed';
  captured: boolean;
  amountCaptured: number;
  /** When the money was taken, in milliseconds. */
  paidAt: number;
  /** Until when it can be captured, in milliseconds. */
  captureBefore: number | null;
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
