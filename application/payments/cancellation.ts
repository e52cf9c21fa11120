import { Role } from '#domain/access.ts';
import { DomainError, invalidField } from '#domain/errors.ts';
import type { MetadataPatch } from '#domain/metadata.ts';
import { Payment, type PaymentId } from '#domain/payment.ts';
import { insteadOfCancellation } from '#domain/ways-out.ts';
import { requireSameProvider } from '../idempotency/idempotency-window.ts';
import type { PaymentProvider } from '../ports/payment-provider.ts';
import type { Clock } from '../ports/system.ts';
import type { Work } from '../ports/unit-of-work.ts';
import {
  type Caller,
  type ExpectedVersions,
  requireFound,
  requireOwnerOrStaff,
  requireRole,
  requireVersion,
} from '../preconditions.ts';
import { type Phases, process } from '../use-case.ts';
import type { charges } from './charges.ts';
import { hasCapture, requireNoCapture } from './live-captures.ts';

export interface CancelPayment {
  readonly id: PaymentId;
  readonly expectedVersions: ExpectedVersions;
  /** Changed with the status, by staff only. A cancellation that is rejected changes nothing. */
  readonly metadata?: MetadataPatch;
}

interface Dependencies extends Pick<ReturnType<typeof charges>, 'cancel' | 'requireState' | 'settle'> {
  readonly clock: Clock;
  readonly provider: PaymentProvider;
}

/** A payment, and whether it is kept although it could be given up. */
type Canceled = Payment & { readonly isLeft?: true };

/**
 * The cancellation of a payment that waits for its payer or its capture. The provider is asked to cancel first, and its outcome decides: a charge
 * that has succeeded meanwhile stays so.
 */
export const cancellation = ({ clock, provider, cancel, requireState, settle }: Dependencies) => {
  /**
   * The phases of a cancellation by a user of this role. When it was interrupted, the payment may have moved on: it may have a capture
   * that is under way, and only staff give up one that was authorized since. Then the charge is found and not canceled again: it may have
   * been canceled before the interruption.
   */
  const phasesFor = (role: Role): Phases<Canceled> => ({
    process: 'cancellation',
    load:
      (id) =>
      async ({ payments, captures }) => {
        const payment = requireFound(await payments.lock(id as PaymentId));
        if (payment.status !== 'authorized') return payment;
        const isLeft = !Role.isAtLeast(role, 'staff') || (await hasCapture({ captures }, payment.id));
        return isLeft ? { ...payment, isLeft } : payment;
      },
    isPending: Payment.isCancelable,
    concerns: ({ id: paymentId, orderId }) => ({ paymentId, orderId }),
    call: async (payment) =>
      settle(payment, await (payment.isLeft === true ? requireState(payment) : cancel(payment))),
    outcome: (payment) =>
      payment.status === 'canceled' ? { done: payment } : { rejected: notCanceled(payment) },
  });

  /** Changes the metadata of a payment that is canceled, in the unit of work that has found or made it so. */
  const withMetadata =
    (work: Work<Canceled>, patch: MetadataPatch | undefined): Work<Canceled> =>
    async (repositories) => {
      const payment = await work(repositories);
      if (patch === undefined || payment.status !== 'canceled') return payment;
      const changed = merged(payment, patch);
      if (changed !== payment) await repositories.payments.save(changed);
      return changed;
    };

  /** Omits metadata that exceed a limit beside others that came meanwhile: what became of the charge is recorded all the same. */
  const merged = (payment: Payment, patch: MetadataPatch): Payment => {
    try {
      return Payment.changeMetadata(payment, patch, clock.now());
    } catch (error) {
      if (error instanceof DomainError) return payment;
      throw error;
    }
  };

  return {
    /**
     * Gives a payment up. The owner can while it waits for its payer, and staff also while it waits for its capture.
     * @throws DomainError 'invalid-state' when it waits for neither, and when it was charged meanwhile
     */
    cancel: process(
      'payments:write',
      ['validation', 'not-found', 'forbidden', 'precondition-failed', 'invalid-state'],
      (caller: Caller, { id, expectedVersions, metadata }: CancelPayment) => {
        const phases = phasesFor(caller.role);
        return {
          ...phases,
          load: (subject) => withMetadata(phases.load(subject), metadata),
          call: async (payment) => withMetadata(await phases.call(payment), metadata),

          claim: async ({ payments, captures }) => {
            const payment = requireFound(await payments.lock(id));
            requireOwnerOrStaff(caller, payment.userId);
            if (metadata !== undefined) requireRole(caller, 'staff', ['metadata']);
            if (payment.status === 'authorized') requireRole(caller, 'staff');
            requireVersion(payment, expectedVersions);
            Payment.requireCancelable(payment);
            if (payment.status === 'authorized') await requireNoCapture({ captures }, payment.id);
            requireSameProvider(provider, payment);
            requireCanceling(provider);
            if (metadata !== undefined) Payment.changeMetadata(payment, metadata, clock.now());
            return payment;
          },
        };
      },
    ),

    /** Carries out a cancellation that its client has abandoned. */
    cancelRecovery: { phasesFor },
  };
};

/** @throws DomainError 'validation' when the provider can give no charge up */
const requireCanceling = ({ name, lifecycle }: PaymentProvider): void => {
  if (lifecycle?.cancel === undefined)
    throw invalidField('status', `cannot be canceled: the payment provider ${name} does not offer it`);
};

const notCanceled = (payment: Payment): DomainError =>
  new DomainError(
    'invalid-state',
    `The payment was not canceled: it is ${payment.status}. ${insteadOfCancellation(payment.status)}`,
  );
