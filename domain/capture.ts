import { DomainError } from './errors.ts';
import type { Instant } from './instant.ts';
import type { Money } from './money.ts';
import { type Failure, Payment, type PaymentId } from './payment.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';
import type { UserId } from './user.ts';

export type CaptureId = Id<'capture'>;

export const captureStatuses = ['pending', 'succeeded', 'failed'] as const;
export type CaptureStatus = (typeof captureStatuses)[number];

/** The capture of an authorized payment, in full or of a part of it. What is not captured is given back to the payer. */
export interface Capture extends Resource<CaptureId> {
  readonly paymentId: PaymentId;
  /** The owner of the payment. */
  readonly userId: UserId;
  /** The provider that holds the money, and its reference of the charge. */
  readonly provider: string;
  readonly chargeReference: string;
  readonly amount: Money;
  readonly status: CaptureStatus;
  /** When the money was captured. Null before, and of captures from before there was this field. */
  readonly succeededAt: Instant | null;
  readonly providerReference: string | null;
  readonly failure: Failure | null;
}

export const Capture = {
  /**
   * Begins the capture of an amount for which `Payment.requireCapturable` was called.
   * @throws TypeError when the payment has no charge
   */
  begin: (id: CaptureId, payment: Payment, amount: Money, at: Instant): Capture => ({
    ...newResource(id, at),
    paymentId: payment.id,
    userId: payment.userId,
    provider: payment.provider,
    chargeReference: chargeOf(payment),
    amount,
    status: 'pending',
    succeededAt: null,
    providerReference: null,
    failure: null,
  }),

  /** The capture of a payment whose money was captured at the provider, as in its dashboard. */
  fromProvider: (id: CaptureId, payment: Payment, at: Instant): Capture => ({
    ...Capture.begin(id, payment, Payment.captured(payment), at),
    ...{ status: 'succeeded', succeededAt: at },
    providerReference: chargeOf(payment),
  }),

  succeed: (capture: Capture, providerReference: string, at: Instant): Capture =>
    updated(Capture.requirePending(capture), { status: 'succeeded', succeededAt: at, providerReference }, at),

  fail: (capture: Capture, failure: Failure, at: Instant): Capture =>
    updated(Capture.requirePending(capture), { status: 'failed', failure }, at),

  /** @throws DomainError 'invalid-state' */
  requirePending: (capture: Capture): Capture => {
    if (capture.status !== 'pending')
      throw new DomainError('invalid-state', `The capture is already settled: it is ${capture.status}.`);
    return capture;
  },

  /** Whether the capture excludes all others of its payment: it has captured the money, or may have. */
  isLive: ({ status }: Capture): boolean => status !== 'failed',
};

const chargeOf = (payment: Payment): string => {
  const reference = Payment.chargeReference(payment);
  if (reference === null)
    throw new TypeError(`The payment ${payment.id} has no charge that could be captured.`);
  return reference;
};
