import { DomainError, invalidField } from '#domain/errors.ts';
import { Instant } from '#domain/instant.ts';
import type { MetadataPatch } from '#domain/metadata.ts';
import { Money } from '#domain/money.ts';
import { Order, type OrderId } from '#domain/order.ts';
import { type CaptureMethod, offline, Payment, type PaymentId } from '#domain/payment.ts';
import { misplacedPaymentField } from '#domain/payment-request.ts';
import { requireValid } from '#domain/rule.ts';
import { User } from '#domain/user.ts';
import { requireSameProvider } from '../idempotency/idempotency-window.ts';
import { pageVisibleTo } from '../pages.ts';
import { cancellation } from '../payments/cancellation.ts';
import { charges, type LivePayment } from '../payments/charges.ts';
import { requireNoCapture } from '../payments/live-captures.ts';
import { expirePayments } from '../payments/payment-expiry.ts';
import { refreshPayment } from '../payments/refresh-payment.ts';
import type { PaymentProvider, ProviderOutcome } from '../ports/payment-provider.ts';
import type { Collections, PageRequest } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
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
  /** Whether the payer can be asked for consent. By default they cannot, and what needs it is declined. */
  readonly payerPresent?: boolean;
  /** Where the payer returns to; only when they are present. It is passed to the provider and never stored. */
  readonly returnUrl?: string;
  /** By staff only. By default as the shop does. */
  readonly capture?: CaptureMethod;
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
  /** How long a payer can act, in milliseconds from the creation of the payment. By default 60 minutes. */
  readonly actionLifetimeMs?: number;
  /** How long an order waits to be paid, in milliseconds. By default, and with 0, forever. */
  readonly orderLifetimeMs?: number;
  /** When the money of payments is captured, unless the request decides. By default at once. */
  readonly captureMethod?: CaptureMethod;
}

/** By default, in milliseconds: an hour. */
const defaultActionLifetimeMs = 60 * 60_000;

/** Payments. An order is paid once, in full. */
export const paymentUseCases = ({
  clock,
  newId,
  provider,
  actionLifetimeMs = defaultActionLifetimeMs,
  captureMethod: usualMethod = 'automatic',
  orderLifetimeMs = 0,
}: Dependencies) => {
  const { begun, settle, isRepeatable, end, findState, requireState, cancel } = charges({
    ...{ clock, newId, provider, orderLifetimeMs },
  });

  const phases: Omit<Phases<LivePayment>, 'call'> = {
    process: 'payment',
    load:
      (id) =>
      async ({ payments }) =>
        requireFound(await payments.lock(id as PaymentId)),
    isPending: ({ status }) => status === 'pending',
    concerns: ({ id: paymentId, orderId }) => ({ paymentId, orderId }),
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
     * Pays an order. A payment that is offline is recorded as succeeded, whatever provider is configured, and none is asked.
     * @throws DomainError 'invalid-state' unless the order waits to be paid, after its second try, and when its user is erased
     */
    pay: process(
      'payments:write',
      ['validation', 'not-found', 'forbidden', 'invalid-state', 'payment-declined'],
      (caller, { orderId, paymentMethod, reference, amount, payerPresent, returnUrl, capture }: Pay) => ({
        ...phases,

        claim: async ({ orders, payments, users }) => {
          requireValid(Payment.rules, { paymentMethod, reference, returnUrl });
          const misplaced = misplacedPaymentField({
            paymentMethod,
            reference,
            payerPresent,
            returnUrl,
            capture,
          });
          if (misplaced !== undefined) throw invalidField(misplaced.field, misplaced.message);
          const captureMethod = paymentMethod === offline ? 'automatic' : (capture ?? usualMethod);
          requireOffered(provider, captureMethod);
          // Concurrent, so that a store can send both in one round trip: nearly always the caller is the owner.
          const [locked, user] = await Promise.all([orders.lock(orderId), users.find(caller.userId)]);
          const order = requireFound(locked);
          requireOwnerOrStaff(caller, order.userId);
          if (paymentMethod === offline || capture !== undefined) requireRole(caller, 'staff');
          if (amount && !Money.equals(amount, order.total)) throw notTheTotal(order.total);
          const asksPayer = payerPresent === true && order.total.amount > 0;
          if (asksPayer && provider.lifecycle?.asksPayer !== true) throw asksNoPayer(provider);
          // An erasure cancels pending orders under their locks, so this rejects only what it has not reached yet.
          const owner = order.userId === caller.userId ? user : await users.find(order.userId);
          User.requireActive(requireFound(owner));
          const at = clock.now();
          const paying = Order.beginPayment(order, at, orderLifetimeMs);
          const payment =
            paymentMethod === offline
              ? Payment.receiveOffline(newId(), paying, reference ?? null, at)
              : Payment.begin(
                  newId(),
                  paying,
                  provider.name,
                  at,
                  asksPayer ? Instant.plus(at, actionLifetimeMs) : null,
                  captureMethod,
                );
          await orders.save(paying);
          if (payment.status === 'succeeded') await orders.save(Order.completePayment(paying, at));
          await payments.add(payment);
          return payment;
        },

        // A retry within the idempotency window is safe. After it, the charge is ended, never repeated. An earlier release
        // passed the token `offline` on, and a provider never sees it now.
        call: async (payment) => {
          requireSameProvider(provider, payment);
          if (paymentMethod === offline || !isRepeatable(payment)) return settle(payment, await end(payment));
          const payer = payment.actionExpiresAt !== null && { payer: { returnUrl: returnUrl ?? null } };
          return settle(payment, await provider.charge({ ...begun(payment), paymentMethod, ...payer }));
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
     * Settles a payment that is undecided or authorized as an operator has found it at the provider, whatever the provider has reported.
     * @throws DomainError 'invalid-state' when it is settled already, or has a capture that may have captured its money
     */
    settle: command(
      'payments:write',
      ['not-found', 'invalid-state'],
      (_caller, { id, outcome }: { readonly id: PaymentId; readonly outcome: ProviderOutcome }) =>
        async (repositories) => {
          const payment = requireFound(await repositories.payments.find(id));
          if (payment.status === 'authorized') await requireNoCapture(repositories, id);
          else Payment.requireUndecided(payment);
          return settle(payment, outcome)(repositories);
        },
      'admin',
    ),

    ...cancellation({ clock, provider, cancel, requireState, settle }),

    /** Asks the provider about a payment that waits for its payer, before `get` responds. */
    refresh: refreshPayment({ clock, provider, findState, settle }),

    /** Ends payments whose payer did not act in time. */
    expiry: { expirePayments: expirePayments({ clock, cancel, settle }) },

    /** Settles an abandoned payment. Without the client's token it cannot be charged, only ended. */
    recovery: {
      ...phases,
      call: async (payment) => {
        requireSameProvider(provider, payment);
        return settle(payment, await end(payment));
      },
    } satisfies Phases<LivePayment>,
  };
};

const declined = ({ failure }: Payment): DomainError =>
  new DomainError('payment-declined', failure?.message ?? 'The payment was declined.');

const asksNoPayer = ({ name }: PaymentProvider): DomainError =>
  invalidField('payerPresent', `must be false: the payment provider ${name} cannot ask the payer`);

const notTheTotal = ({ amount, currency }: Money): DomainError =>
  invalidField('amount', `must be the order's total, which is ${amount} in the minor unit of ${currency}`);

/** @throws DomainError 'validation' when the provider cannot capture later */
const requireOffered = ({ name, lifecycle }: PaymentProvider, captureMethod: CaptureMethod): void => {
  if (captureMethod === 'manual' && lifecycle?.capture === undefined)
    throw invalidField('capture', `cannot be manual: the payment provider ${name} does not offer it`);
};
