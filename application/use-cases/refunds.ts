import { invalidField } from '#domain/errors.ts';
import type { MetadataPatch } from '#domain/metadata.ts';
import type { Money } from '#domain/money.ts';
import { Payment, type PaymentId } from '#domain/payment.ts';
import { Refund, type RefundId } from '#domain/refund.ts';
import { ApplicationError } from '../errors.ts';
import { ageOf, requireSameProvider, windowOf } from '../idempotency/idempotency-window.ts';
import { pageVisibleTo } from '../pages.ts';
import { applyRefundOutcome } from '../payments/apply-refund-outcome.ts';
import { requireUndisputed } from '../payments/disputed-payments.ts';
import type { PaymentProvider, ProviderOutcome } from '../ports/payment-provider.ts';
import type { Collections, PageRequest } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import {
  type ExpectedVersions,
  isStaff,
  requireFound,
  requireOwnerOrStaff,
  requireVersion,
} from '../preconditions.ts';
import type { ApplySnapshot } from '../reconciliation/apply-snapshot.ts';
import { refundDeclines } from '../reconciliation/refund-declines.ts';
import { command, type Phases, process, query } from '../use-case.ts';

export interface ListRefunds {
  readonly filter: Collections['refunds']['filter'];
  readonly page: PageRequest<RefundId>;
}

export interface CreateRefund {
  readonly paymentId: PaymentId;
  /** By default all that is left to refund. */
  readonly amount?: Money;
  readonly reason: string | null;
  /** The sum of what is refunded and being refunded, as the client has seen it. By default it is not compared. */
  readonly expectedRefunded?: Money;
}

export interface ChangeRefund {
  readonly id: RefundId;
  readonly expectedVersions: ExpectedVersions;
  readonly metadata?: MetadataPatch;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly provider: PaymentProvider;
  readonly applySnapshot: ApplySnapshot;
}

/** Refunds, in full or in parts, never more than was paid. */
export const refundUseCases = ({ clock, newId, provider, applySnapshot }: Dependencies) => {
  const { settle, complete } = applyRefundOutcome({ clock });
  const { settleOutcome, errorOf } = refundDeclines({ clock, provider, applySnapshot, settle });

  const phases: Phases<Refund> = {
    process: 'refund',
    load:
      (id) =>
      async ({ refunds }) =>
        requireFound(await refunds.lock(id as RefundId)),
    // One that the provider has accepted is final for its key.
    isPending: ({ status, providerReference }) => status === 'pending' && providerReference === null,
    concerns: ({ id: refundId, paymentId }) => ({ refundId, paymentId }),
    // A refund needs nothing from the client, so the reconciler can retry it within the idempotency window. After that it
    // waits until no request can be in flight, and closes.
    call: async (refund) => {
      requireSameProvider(provider, refund);
      const { id: refundId, chargeReference, amount } = refund;
      if (chargeReference === null)
        throw new TypeError(`The refund ${refundId} is pending, although its payment has no charge.`);
      const request = { refundId, chargeReference, amount };
      const window = windowOf(provider, ageOf(refund, clock.now()));
      if (window === 'closing') throw maybeInFlight();
      return settleOutcome(
        refund,
        window === 'open' ? await provider.refund(request) : await provider.closeRefund(request),
      );
    },
    outcome: (refund) => (refund.status === 'failed' ? { rejected: errorOf(refund) } : { done: refund }),
  };

  return {
    list: query(
      'refunds:read',
      [],
      (caller, { filter, page }: ListRefunds) =>
        ({ refunds }) =>
          pageVisibleTo(refunds, caller, { filter, page, seesAll: isStaff(caller) }),
    ),

    get: query('refunds:read', ['not-found', 'forbidden'], (caller, id: RefundId) => async ({ refunds }) => {
      const refund = requireFound(await refunds.find(id));
      requireOwnerOrStaff(caller, refund.userId);
      return refund;
    }),

    /**
     * Refunds a payment. No provider is asked where none was asked for the payment. What the client has seen of it is compared once,
     * under its lock, when the refund begins: a retry finds its own refund.
     * @throws DomainError 'conflict' when another sum is refunded or being refunded than the client has seen; 'invalid-state' unless the payment succeeded, and while a dispute of it is open; 'amount-exceeded' when less
     *   can be refunded, here or at the provider
     */
    create: process(
      'refunds:write',
      ['validation', 'not-found', 'conflict', 'invalid-state', 'amount-exceeded', 'payment-declined'],
      (_caller, { paymentId, amount, reason, expectedRefunded }: CreateRefund) => ({
        ...phases,

        claim: async (repositories) => {
          const { payments, refunds } = repositories;
          if (amount?.amount === 0) throw invalidField('amount.amount', 'must be greater than 0');
          const payment = requireFound(await payments.lock(paymentId));
          if (expectedRefunded !== undefined) Payment.requireRefunded(payment, expectedRefunded);
          const wanted = amount ?? Payment.refundable(payment);
          if (wanted.currency !== payment.amount.currency) {
            throw invalidField(
              'amount.currency',
              `must be ${payment.amount.currency}, the payment's currency`,
            );
          }
          const at = clock.now();
          await requireUndisputed(repositories, payment);
          const refunding = Payment.beginRefund(payment, wanted, at);
          const refund = Refund.begin(newId(), payment, { amount: wanted, reason }, at);
          if (refund.status === 'pending') requireSameProvider(provider, payment);
          await payments.save(refunding);
          await refunds.add(refund);
          if (refund.status === 'succeeded') await complete(repositories, refunding, refund, at);
          return refund;
        },
      }),
    ),

    change: command(
      'refunds:write',
      ['not-found', 'precondition-failed', 'validation'],
      (_caller, { id, expectedVersions, metadata }: ChangeRefund) =>
        async ({ refunds }) => {
          const refund = requireFound(await refunds.lock(id));
          requireVersion(refund, expectedVersions);
          if (metadata === undefined) return refund;
          const after = Refund.changeMetadata(refund, metadata, clock.now());
          await refunds.save(after);
          return after;
        },
    ),

    /**
     * Settles a pending refund as an operator has found it at the provider, whatever the provider has reported.
     * @throws DomainError 'invalid-state' when it is settled already
     */
    settle: command(
      'refunds:write',
      ['not-found', 'invalid-state'],
      (_caller, { id, outcome }: { readonly id: RefundId; readonly outcome: ProviderOutcome }) =>
        async (repositories) => {
          Refund.requirePending(requireFound(await repositories.refunds.find(id)));
          return settle(id, outcome)(repositories);
        },
      'admin',
    ),

    /** Settles an abandoned refund. */
    recovery: phases,
  };
};

const maybeInFlight = (): ApplicationError =>
  new ApplicationError(
    'provider-timeout',
    'A request for the refund may still be in flight. Try again later.',
  );
