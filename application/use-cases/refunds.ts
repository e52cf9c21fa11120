import { DomainError, invalidField } from '#domain/errors.ts';
import type { Instant } from '#domain/instant.ts';
import type { MetadataPatch } from '#domain/metadata.ts';
import type { Money } from '#domain/money.ts';
import { Order } from '#domain/order.ts';
import { Payment, type PaymentId } from '#domain/payment.ts';
import { Refund, type RefundId } from '#domain/refund.ts';
import { ApplicationError } from '../errors.ts';
import { ageOf, requireSameProvider, windowOf } from '../idempotency/idempotency-window.ts';
import { followRefund } from '../look-ups/waiting-payments.ts';
import { pageVisibleTo } from '../pages.ts';
import type { PaymentProvider, ReversalState, Verdict } from '../ports/payment-provider.ts';
import type { Collections, PageRequest, Repositories } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import type { Work } from '../ports/unit-of-work.ts';
import {
  type ExpectedVersions,
  isStaff,
  requireFound,
  requireOwnerOrStaff,
  requireVersion,
} from '../preconditions.ts';
import { command, type Phases, process, query } from '../use-case.ts';
import { releaseOrderStock } from './stock.ts';

export interface ListRefunds {
  readonly filter: Collections['refunds']['filter'];
  readonly page: PageRequest<RefundId>;
}

export interface CreateRefund {
  readonly paymentId: PaymentId;
  /** By default all that is left to refund. */
  readonly amount?: Money;
  readonly reason: string | null;
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
}

/** Refunds, in full or in parts, never more than was paid. */
export const refundUseCases = ({ clock, newId, provider }: Dependencies) => {
  /** Settles the refund and its payment with the provider's verdict. Does nothing when the refund is settled already. */
  const settle =
    (id: RefundId, verdict: ReversalState): Work<Refund> =>
    async (repositories) => {
      const { refunds, payments } = repositories;
      const refund = requireFound(await refunds.lock(id));
      if (refund.status !== 'pending') return refund;
      const payment = requireFound(await payments.lock(refund.paymentId));
      const at = clock.now();
      if ('declined' in verdict) {
        const failed = Refund.fail(refund, verdict.declined, at);
        await refunds.save(failed);
        await payments.save(Payment.abandonRefund(payment, refund.amount, at));
        return failed;
      }
      if ('waitsFor' in verdict) {
        const accepted = Refund.accept(refund, verdict.reference, at);
        await refunds.save(accepted);
        await followRefund(repositories.lookUps, accepted, at);
        return accepted;
      }
      const succeeded = Refund.succeed(refund, verdict.reference, at);
      await refunds.save(succeeded);
      await complete(repositories, payment, succeeded, at);
      return succeeded;
    };

  /** Completes the payment of a refund that has succeeded, and closes its order after a full refund. */
  const complete = async (
    repositories: Repositories,
    payment: Payment,
    { amount }: Refund,
    at: Instant,
  ): Promise<void> => {
    const refunded = Payment.completeRefund(payment, amount, at);
    await repositories.payments.save(refunded);
    if (refunded.status === 'refunded') await closeOrder(repositories, refunded);
  };

  /** After a full refund a paid order becomes refunded and releases its stock. A fulfilled order stays fulfilled. */
  const closeOrder = async (
    { orders, orderItems, products }: Repositories,
    payment: Payment,
  ): Promise<void> => {
    const order = requireFound(await orders.lock(payment.orderId));
    if (order.status !== 'paid') return;
    const at = clock.now();
    await orders.save(Order.transitionTo(order, 'refunded', at));
    await releaseOrderStock(products, orderItems, order.id, at);
  };

  const phases: Phases<Refund> = {
    process: 'refund',
    load:
      (id) =>
      async ({ refunds }) =>
        requireFound(await refunds.lock(id as RefundId)),
    // One that the provider has accepted is final for its key.
    isPending: ({ status, providerReference }) => status === 'pending' && providerReference === null,
    // A reversal needs nothing from the client, so the reconciler can retry it within the idempotency window. After that it
    // waits until no request can be in flight, and closes.
    call: async (refund) => {
      requireSameProvider(provider, refund);
      const { id: refundId, chargeReference, amount } = refund;
      if (chargeReference === null)
        throw new TypeError(`The refund ${refundId} is pending, although its payment has no charge.`);
      const reversal = { refundId, chargeReference, amount };
      const window = windowOf(provider, ageOf(refund, clock.now()));
      if (window === 'closing') throw maybeInFlight();
      return settle(
        refundId,
        window === 'open' ? await provider.reverse(reversal) : await provider.closeReversal(reversal),
      );
    },
    outcome: (refund) => (refund.status === 'failed' ? { rejected: declined(refund) } : { done: refund }),
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
     * Refunds a payment. No provider is asked where none was asked for the payment.
     * @throws DomainError 'invalid-state' unless the payment succeeded
     */
    create: process(
      'refunds:write',
      ['validation', 'not-found', 'invalid-state', 'amount-exceeded', 'payment-declined'],
      (_caller, { paymentId, amount, reason }: CreateRefund) => ({
        ...phases,

        claim: async (repositories) => {
          const { payments, refunds } = repositories;
          if (amount?.amount === 0) throw invalidField('amount.amount', 'must be greater than 0');
          const payment = requireFound(await payments.lock(paymentId));
          const wanted = amount ?? Payment.refundable(payment);
          if (wanted.currency !== payment.amount.currency) {
            throw invalidField(
              'amount.currency',
              `must be ${payment.amount.currency}, the payment's currency`,
            );
          }
          const at = clock.now();
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
     * Settles a pending refund as an operator has found it at the provider, whatever the provider has said.
     * @throws DomainError 'invalid-state' when it is settled already
     */
    settle: command(
      'refunds:write',
      ['not-found', 'invalid-state'],
      (_caller, { id, verdict }: { readonly id: RefundId; readonly verdict: Verdict }) =>
        async (repositories) => {
          Refund.requirePending(requireFound(await repositories.refunds.find(id)));
          return settle(id, verdict)(repositories);
        },
      'admin',
    ),

    /** Settles an abandoned refund. */
    recovery: phases,

    /** What a look-up at the provider does with its verdict on a refund that it has accepted. */
    lookUp: { settle },
  };
};

const maybeInFlight = (): ApplicationError =>
  new ApplicationError(
    'provider-timeout',
    'A request for the refund may still be in flight. Try again later.',
  );

const declined = ({ failure }: Refund): DomainError =>
  new DomainError('payment-declined', failure?.message ?? 'The refund was declined.');
