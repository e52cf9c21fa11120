import { captureView } from '#adapters/http/v1/captures.ts';
import { paymentView } from '#adapters/http/v1/payments.ts';
import { refundView } from '#adapters/http/v1/refunds.ts';
import type { Application } from '#application/application.ts';
import type { ProviderOutcome } from '#application/ports/payment-provider.ts';
import type { Capture, CaptureId } from '#domain/capture.ts';
import { DomainError } from '#domain/errors.ts';
import { Payment, type PaymentId } from '#domain/payment.ts';
import type { Refund, RefundId } from '#domain/refund.ts';
import { systemCaller } from '../system-caller.ts';

/** The id of a payment, refund or capture. */
export type SubjectId = PaymentId & RefundId & CaptureId;

/** What an operator can settle. */
export type Subject =
  | { readonly kind: 'payment'; readonly is: Payment }
  | { readonly kind: 'refund'; readonly is: Refund }
  | { readonly kind: 'capture'; readonly is: Capture };

/** @throws DomainError 'not-found' */
export const findSubject = async ({ unitOfWork }: Application, id: SubjectId): Promise<Subject> => {
  const [payment, refund, capture] = await unitOfWork.read(({ payments, refunds, captures }) =>
    Promise.all([payments.find(id), refunds.find(id), captures.find(id)]),
  );
  if (payment !== undefined) return { kind: 'payment', is: payment };
  if (refund !== undefined) return { kind: 'refund', is: refund };
  if (capture !== undefined) return { kind: 'capture', is: capture };
  throw new DomainError('not-found', `There is no payment, refund or capture ${id}.`);
};

/** Whether the provider, or an operator, can still settle it. */
export const isOpen = ({ kind, is }: Subject): boolean =>
  is.status === 'pending' || (kind === 'payment' && (Payment.isUndecided(is) || is.status === 'authorized'));

/** The payment that it is, or belongs to. */
export const paymentIdOf = (subject: Subject): PaymentId =>
  subject.kind === 'payment' ? subject.is.id : subject.is.paymentId;

/** Records what an operator has found at the provider. */
export const recordOutcome = async (
  { unitOfWork, undecorated: { payments, refunds, captures } }: Application,
  { kind, is: { id } }: Subject,
  outcome: ProviderOutcome,
): Promise<void> => {
  const input = { id: id as SubjectId, outcome };
  if (kind === 'payment') await unitOfWork.run(payments.settle(systemCaller, input));
  if (kind === 'refund') await unitOfWork.run(refunds.settle(systemCaller, input));
  if (kind === 'capture') await unitOfWork.run(captures.settle(systemCaller, input));
};

export const encodeSubject = (subject: Subject): object => {
  if (subject.kind === 'payment') return paymentView.encode(subject.is);
  return subject.kind === 'refund' ? refundView.encode(subject.is) : captureView.encode(subject.is);
};
