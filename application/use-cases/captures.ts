import { Capture, type CaptureId } from '#domain/capture.ts';
import { DomainError, invalidField } from '#domain/errors.ts';
import { Money } from '#domain/money.ts';
import { Order } from '#domain/order.ts';
import { type Failure, Payment, type PaymentId } from '#domain/payment.ts';
import { insteadOfCapture } from '#domain/ways-out.ts';
import { ProviderMismatch } from '../errors.ts';
import { requireSameProvider } from '../idempotency/idempotency-window.ts';
import { pageVisibleTo } from '../pages.ts';
import type { ReportMismatch } from '../payments/checked-provider.ts';
import { recordExternalCapture } from '../payments/external-captures.ts';
import { requireNoCapture } from '../payments/live-captures.ts';
import { reconcileNow, reconcileSoon } from '../payments/schedule-reconciliation.ts';
import type { ProviderOutcome } from '../ports/charge.ts';
import type { CompleteChargeLifecycle } from '../ports/charge-lifecycle.ts';
import type { PaymentProvider } from '../ports/payment-provider.ts';
import type { Collections, PageRequest } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { isStaff, requireFound, requireOwnerOrStaff } from '../preconditions.ts';
import type { ApplySnapshot } from '../reconciliation/apply-snapshot.ts';
import { command, type Phases, process, query } from '../use-case.ts';

export interface ListCaptures {
  readonly filter: Collections['captures']['filter'];
  readonly page: PageRequest<CaptureId>;
}

export interface CreateCapture {
  readonly paymentId: PaymentId;
  /** By default all that was authorized. Less gives the rest back to the payer. */
  readonly amount?: Money;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly provider: PaymentProvider;
  readonly applySnapshot: ApplySnapshot;
  readonly reportMismatch?: ReportMismatch;
}

/** The code of a capture that came too late. It is stored, so that a retry gets the same response. */
const invalidState = 'invalid_state';

/** Captures of authorized payments by staff. A payment is captured once, in full or in part. */
export const captureUseCases = ({
  clock,
  newId,
  provider,
  applySnapshot,
  reportMismatch = () => undefined,
}: Dependencies) => {
  const recordCapture = recordExternalCapture(newId);

  /** @throws ProviderMismatch when the payment is recorded with other money than that of the capture */
  const requireItsMoney = (payment: Payment, { id, amount }: Capture): void => {
    const captured = Payment.captured(payment);
    if (Money.equals(captured, amount)) return;
    const difference = `It succeeded, and the payment is ${payment.status} with ${Money.format(captured)} captured, not ${Money.format(amount)}.`;
    const mismatch = new ProviderMismatch('capture', id, difference);
    reportMismatch(mismatch);
    throw mismatch;
  };

  /**
   * Settles the capture, its payment and its order with the provider's outcome. Does nothing when the capture is settled already.
   * A payment that reconciliation has recorded as captured stays as it is, so it never has the money of two captures.
   */
  const settle =
    ({ id, paymentId }: Capture, outcome: ProviderOutcome, requireFit = requireItsMoney): Work<Capture> =>
    async (repositories) => {
      const { captures, payments, orders } = repositories;
      const payment = requireFound(await payments.lock(paymentId));
      const capture = requireFound(await captures.lock(id));
      if (capture.status !== 'pending') return capture;
      const at = clock.now();
      if ('declined' in outcome) {
        const failed = Capture.fail(capture, outcome.declined, at);
        await captures.save(failed);
        await recordCapture(payment, at)(repositories);
        // Declined, too, is what was captured or canceled at the provider meanwhile.
        if (payment.status === 'authorized')
          await reconcileSoon(repositories.reconciliationTasks, payment, at);
        return failed;
      }
      if (payment.status !== 'authorized') requireFit(payment, capture);
      const succeeded = Capture.succeed(capture, outcome.reference, at);
      await captures.save(succeeded);
      if (payment.status !== 'authorized') return succeeded;
      await payments.save(Payment.capture(payment, capture.amount, at));
      const order = requireFound(await orders.lock(payment.orderId));
      await orders.save(Order.completePayment(order, at));
      return succeeded;
    };

  /**
   * Settles a capture with the outcome on it. Of a declined one the charge is read first, so that what was captured or canceled at the
   * provider is recorded before the client learns that it came too late.
   */
  const settleOutcome = async (capture: Capture, outcome: ProviderOutcome): Promise<Work<Capture>> => {
    const { paymentId, chargeReference } = capture;
    if (!('declined' in outcome)) return settle(capture, outcome);
    const snapshot = await provider.lifecycle?.retrieveCharge(chargeReference);
    if (snapshot?.paymentId !== paymentId) return settle(capture, outcome);
    return async (repositories) => {
      await applySnapshot(snapshot)(repositories);
      const { status } = requireFound(await repositories.payments.find(paymentId));
      const isLate = status !== 'authorized';
      return settle(capture, isLate ? { declined: tooLate(status) } : outcome)(repositories);
    };
  };

  const phases: Phases<Capture> = {
    process: 'capture',
    load:
      (id) =>
      async ({ captures }) =>
        requireFound(await captures.lock(id as CaptureId)),
    isPending: ({ status }) => status === 'pending',
    concerns: ({ id: captureId, paymentId }) => ({ captureId, paymentId }),
    // A provider captures at most once per capture id, so a retry is safe at any age. It needs nothing from the client.
    call: async (capture) => {
      requireSameProvider(provider, capture);
      const { id: captureId, paymentId, chargeReference, amount } = capture;
      return settleOutcome(
        capture,
        await capturing(provider)({ captureId, paymentId, chargeReference, amount }),
      );
    },
    outcome: (capture) => (capture.status === 'failed' ? { rejected: declined(capture) } : { done: capture }),
  };

  return {
    list: query(
      'payments:read',
      [],
      (caller, { filter, page }: ListCaptures) =>
        ({ captures }) =>
          pageVisibleTo(captures, caller, { filter, page, seesAll: isStaff(caller) }),
    ),

    get: query(
      'payments:read',
      ['not-found', 'forbidden'],
      (caller, id: CaptureId) =>
        async ({ captures }) => {
          const capture = requireFound(await captures.find(id));
          requireOwnerOrStaff(caller, capture.userId);
          return capture;
        },
    ),

    /**
     * Captures an authorized payment.
     * @throws DomainError 'invalid-state' unless the payment is authorized, and after another capture that has not failed
     */
    create: process(
      'payments:write',
      ['validation', 'not-found', 'invalid-state', 'amount-exceeded', 'payment-declined'],
      (_caller, { paymentId, amount }: CreateCapture) => ({
        ...phases,

        claim: async ({ payments, captures }) => {
          capturing(provider);
          if (amount?.amount === 0) throw invalidField('amount.amount', 'must be greater than 0');
          const payment = requireFound(await payments.lock(paymentId));
          const wanted = amount ?? payment.amount;
          Payment.requireCapturable(payment, wanted);
          await requireNoCapture({ captures }, payment.id);
          requireSameProvider(provider, payment);
          const capture = Capture.begin(newId(), payment, wanted, clock.now());
          await captures.add(capture);
          return capture;
        },
      }),
      'staff',
    ),

    /**
     * Settles a pending capture as an operator has found it at the provider, and schedules the reconciliation of its charge.
     * @throws DomainError 'invalid-state' when it is settled already, and for a success when other money is recorded as captured
     */
    settle: command(
      'payments:write',
      ['not-found', 'invalid-state'],
      (_caller, { id, outcome }: { readonly id: CaptureId; readonly outcome: ProviderOutcome }) =>
        async (repositories) => {
          const capture = requireFound(await repositories.captures.find(id));
          const settled = await settle(
            Capture.requirePending(capture),
            outcome,
            requireNoOther,
          )(repositories);
          const payment = requireFound(await repositories.payments.find(capture.paymentId));
          // A snapshot that was retrieved while the capture was under way may not have been recorded.
          await reconcileNow(repositories.reconciliationTasks, payment, clock.now());
          return settled;
        },
      'admin',
    ),

    /** Settles an abandoned capture. */
    recovery: phases,
  };
};

/** @throws DomainError 'validation' when the provider captures each charge at once */
const capturing = ({ name, lifecycle }: PaymentProvider): CompleteChargeLifecycle['capture'] => {
  if (lifecycle?.capture === undefined)
    throw invalidField('paymentId', `cannot be captured: the payment provider ${name} does not offer it`);
  return lifecycle.capture;
};

/** @throws DomainError 'invalid-state' when the payment is recorded with other money than that of the capture */
const requireNoOther = (payment: Payment, { amount }: Capture): void => {
  const captured = Payment.captured(payment);
  if (Money.equals(captured, amount)) return;
  throw new DomainError(
    'invalid-state',
    `The payment is ${payment.status}, with ${Money.format(captured)} captured. Settle the capture of ${Money.format(amount)} as failed: what was captured at the provider is recorded then.`,
  );
};

const tooLate = (status: Payment['status']): Failure => ({
  code: invalidState,
  message: `The payment is ${status}: it was captured or canceled at the provider. ${insteadOfCapture(status)}`,
});

const declined = ({ failure }: Capture): DomainError =>
  new DomainError(
    failure?.code === invalidState ? 'invalid-state' : 'payment-declined',
    failure?.message ?? 'The capture was declined.',
  );
