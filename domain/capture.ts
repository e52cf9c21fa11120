import type { Instant } from './instant.ts';
import type { Money } from './money.ts';
import type { Failure, Payment, PaymentId } from './payment.ts';
import { type Id, newResource, type Resource } from './resource.ts';
import type { UserId } from './user.ts';

export type CaptureId = Id<'capture'>;

export const captureStatuses = ['pending', 'succeeded', 'failed'] as const;
export type CaptureStatus = (typeof captureStatuses)[number];

/** The capture of an authorized payment, in full or of a part of it. What is not captured is given back to the payer. */
export interface Capture extends Resource<CaptureId> {
  readonly paymentId: PaymentId;
  /** The owner of the payment. */
  readonly userId: UserId;
  readonly amount: Money;
  readonly status: CaptureStatus;
  readonly providerReference: string | null;
  readonly failure: Failure | null;
}

export const Capture = {
  begin: (id: CaptureId, payment: Payment, amount: Money, at: Instant): Capture => ({
    ...newResource(id, at),
    paymentId: payment.id,
    userId: payment.userId,
    amount,
    status: 'pending',
    providerReference: null,
    failure: null,
  }),
};
