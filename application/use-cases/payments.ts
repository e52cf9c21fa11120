import { DomainError, invalidField } from '#domain/errors.ts';
import type { MetadataPatch } from '#domain/metadata.ts';
import { Money } from '#domain/money.ts';
import { Order, type OrderId } from '#domain/order.ts';
import { offline, Payment, type PaymentId } from '#domain/payment.ts';
import { requireValid } from '#domain/rule.ts';
import { User } from '#domain/user.ts';
import { orderAfterPayment, paymentAfter } from '../charge-outcome.ts';
import { ageOf, requireSameProvider, windowOf } from '../idempotency/idempotency-window.ts';
import { followPayment } from '../look-ups/waiting-payments.ts';
import { pageVisibleTo } from '../pages.ts';
import type { ChargeState } from '../ports/charge.ts';
import type { BegunCharge, PaymentProvider, Verdict } from '../ports/payment-provider.ts';
import type { Collections, PageRequest } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import type { Work } from '../ports/unit-of-work.ts';
import {
  type ExpectedVersions,
  isStaff,
  requireFound,
  requireOwnerOrStaff,
  requireRole,
  requireVersion,
} from '../preconditions.ts';
import { command, type Phases, process, query } from '../use-case.ts';

export interface ListPayments {
  readonly filter: Collections['payments']['filter'];
  readonly page: PageRequest<PaymentId>;
}

export interface Pay {
  readonly orderId: OrderId;
  /** The provider's token, which is passed to the provider and never stored; or `offline`, by staff only. */
  readonly paymentMethod: string;
  /** The shop's own reference of a payment that is offline, such as the number of a receipt. */
  readonly reference?: string;
  /** A safeguard for the client: when present, it must equal the order's total. */
  readonly amount?: Money;
}

export interface ChangePayment {
  readonly id: PaymentId;
  readonly expectedVersions: ExpectedVersions;
  /** Changed by staff only. */
  readonly metadata?: MetadataPatch;
}

interface Dependencies {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly provider: PaymentProvider;
}

/** Payments. An order is paid once, in full. */
export const paymentUseCases = ({ clock, newId, provider }: Dependencies) => {
  /** Records what became of the charge at the payment and its order. Does nothing when the payment is settled already. */
  const settle =
    ({ id, orderId }: Payment, state: ChargeState): Work<Payment> =>
    async ({ orders, payments, lookUps }) => {
      // Concurrent locks, in this order, so that a store can send both in one round trip.
      const [locked, lockedOrder] = await Promise.all([payments.lock(id), orders.lock(orderId)]);
      const payment = requireFound(locked);
      if (!Payment.isUndecided(payment)) return payment;
      const order = requireFound(lockedOrder);
      const at = clock.now();
      const after = paymentAfter(payment, state, at);
      if (after !== payment) {
        await payments.save(after);
        if (Payment.isUndecided(after)) await followPayment(lookUps, after, at);
      }
      const orderAfter = orderAfterPayment(order, after, at);
      if (orderAfter !== order) await orders.save(orderAfter);
      return after;
    };

  const begun = (payment: Payment): BegunCharge => ({
    paymentId: payment.id,
    amount: payment.amount,
    age: ageOf(payment, clock.now()),
  });

  const close = (payment: Payment): Promise<ChargeState> => provider.closeCharge(begun(payment));

  const phases: Omit<Phases<Payment>, 'call'> = {
    process: 'payment',
    load:
      (id) =>
      async ({ payments }) =>
        requireFound(await payments.lock(id as PaymentId)),
    isPending: ({ status }) => status === 'pending',
    outcome: (payment) => (payment.status === 'failed' ? { rejected: declined(payment) } : { done: payment }),
  };

  return {
    list: query(
      'payments:read',
      [],
      (caller, { filter, page }: ListPayments) =>
        ({ payments }) =>
          pageVisibleTo(payments, caller, { filter, page, seesAll: isStaff(caller) }),
    ),

    get: query(
      'payments:read',
      ['not-found', 'forbidden'],
      (caller, id: PaymentId) =>
        async ({ payments }) => {
          const payment = requireFound(await payments.find(id));
          requireOwnerOrStaff(caller, payment.userId);
          return payment;
        },
    ),

    /**
     * Pays an order. A payment that is offline is recorded as taken, whatever provider is configured, and none is asked.
     * @throws DomainError 'invalid-state' unless the order waits to be paid, and when its user is erased
     */
    pay: process(
      'payments:write',
      ['validation', 'not-found', 'forbidden', 'invalid-state', 'payment-declined'],
      (caller, { orderId, paymentMethod, reference, amount }: Pay) => ({
        ...phases,

        claim: async ({ orders, payments, users }) => {
          requireValid(Payment.rules, { paymentMethod, reference });
          const misplaced = Payment.misplacedReference(paymentMethod, reference);
          if (misplaced !== undefined) throw invalidField('reference', misplaced);
          // Concurrent, so that a store can send both in one round trip: nearly always the caller is the owner.
          const [locked, user] = await Promise.all([orders.lock(orderId), users.find(caller.userId)]);
          const order = requireFound(locked);
          requireOwnerOrStaff(caller, order.userId);
          if (paymentMethod === offline) requireRole(caller, 'staff');
          if (amount && !Money.equals(amount, order.total)) throw notTheTotal(order.total);
          // An erasure cancels pending orders under their locks, so this rejects only what it has not reached yet.
          const owner = order.userId === caller.userId ? user : await users.find(order.userId);
          User.requireActive(requireFound(owner));
          const at = clock.now();
          const paying = Order.beginPayment(order, at);
          const payment =
            paymentMethod === offline
              ? Payment.takeOffline(newId(), paying, reference ?? null, at)
              : Payment.begin(newId(), paying, provider.name, at);
          await orders.save(paying);
          if (payment.status === 'succeeded') await orders.save(Order.completePayment(paying, at));
          await payments.add(payment);
          return payment;
        },

        // A retry within the idempotency window is safe. After it, the charge is closed, never repeated. An earlier release
        // passed the token `offline` on, and a provider never sees it now.
        call: async (payment) => {
          requireSameProvider(provider, payment);
          const charge = { ...begun(payment), paymentMethod };
          const isRetryable = paymentMethod !== offline && windowOf(provider, charge.age) === 'open';
          return settle(payment, isRetryable ? await provider.charge(charge) : await close(payment));
        },
      }),
    ),

    change: command(
      'payments:write',
      ['not-found', 'forbidden', 'precondition-failed', 'validation'],
      (caller, { id, expectedVersions, metadata }: ChangePayment) =>
        async ({ payments }) => {
          const payment = requireFound(await payments.lock(id));
          requireOwnerOrStaff(caller, payment.userId);
          if (metadata !== undefined) requireRole(caller, 'staff', ['metadata']);
          requireVersion(payment, expectedVersions);
          if (metadata === undefined) return payment;
          const after = Payment.changeMetadata(payment, metadata, clock.now());
          await payments.save(after);
          return after;
        },
    ),

    /**
     * Settles a pending payment as an operator has found it at the provider, whatever the provider has said.
     * @throws DomainError 'invalid-state' when it is settled already
     */
    settle: command(
      'payments:write',
      ['not-found', 'invalid-state'],
      (_caller, { id, verdict }: { readonly id: PaymentId; readonly verdict: Verdict }) =>
        async (repositories) => {
          const payment = requireFound(await repositories.payments.find(id));
          return settle(Payment.requireUndecided(payment), verdict)(repositories);
        },
      'admin',
    ),

    /** Settles an abandoned payment. Without the client's token it cannot be charged, only closed. */
    recovery: {
      ...phases,
      call: async (payment) => {
        requireSameProvider(provider, payment);
        return settle(payment, await close(payment));
      },
    } satisfies Phases<Payment>,
  };
};

const declined = ({ failure }: Payment): DomainError =>
  new DomainError('payment-declined', failure?.message ?? 'The payment was declined.');

const notTheTotal = ({ amount, currency }: Money): DomainError =>
  invalidField('amount', `must be the order's total, which is ${amount} in the minor unit of ${currency}`);
