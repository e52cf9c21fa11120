import type { Failure, Payment } from '#domain/payment.ts';
import { ApplicationError, ChargeNotFound } from '../errors.ts';
import { ageOf, requireSameProvider, windowOf } from '../idempotency/idempotency-window.ts';
import type { BegunCharge, ChargeState, NextAction, PaymentProvider } from '../ports/payment-provider.ts';
import type { Clock } from '../ports/system.ts';
import type { Work } from '../ports/unit-of-work.ts';
import { requireFound } from '../preconditions.ts';
import { applyChargeOutcome, type ChargeOutcomeDependencies } from './apply-charge-outcome.ts';
import { paymentAfter } from './charge-outcome.ts';

/** A payment with what its payer has to do now. The action is in no store: only the response that follows has it. */
export type LivePayment = Payment & { readonly nextAction?: NextAction };

interface Dependencies extends ChargeOutcomeDependencies {
  readonly clock: Clock;
  readonly provider: PaymentProvider;
}

/** The calls that find out what became of a charge, and the work that records it. */
export const charges = ({ clock, provider, ...settlement }: Dependencies) => {
  const applyOutcome = applyChargeOutcome(settlement);

  const begun = (payment: Payment): BegunCharge => ({
    paymentId: payment.id,
    amount: payment.amount,
    age: ageOf(payment, clock.now()),
    captureMethod: payment.captureMethod,
  });

  /**
   * Records what became of the charge at the payment and its order. Does nothing when that is nothing new.
   * @param reason why the payment ended by itself, if it did
   */
  const settle =
    ({ id, orderId }: Payment, state: ChargeState, reason: Failure | null = null): Work<LivePayment> =>
    async (repositories) => {
      const { orders, payments } = repositories;
      // Concurrent locks, in this order, so that a store can send both in one round trip.
      const [locked, lockedOrder] = await Promise.all([payments.lock(id), orders.lock(orderId)]);
      const payment = requireFound(locked);
      const at = clock.now();
      const after = paymentAfter(payment, state, at, reason);
      if (after === payment) return withAction(after, state);
      await applyOutcome(repositories, { payment: after, order: requireFound(lockedOrder) }, at);
      return withAction(after, state);
    };

  const canStillAct = ({ actionExpiresAt }: Payment): boolean =>
    actionExpiresAt !== null && actionExpiresAt > clock.now();

  /**
   * Whether the charge of a pending payment can be sent again. After the provider's idempotency window it might count as a
   * new one, and after the time of the payer it would ask them in vain.
   */
  const isRepeatable = (payment: Payment): boolean =>
    windowOf(provider, ageOf(payment, clock.now())) === 'open' &&
    (payment.actionExpiresAt === null || canStillAct(payment));

  /** Finds what became of a charge, without a change. @returns undefined when it may still arrive, or the provider cannot be asked */
  const findState = async (payment: Payment): Promise<ChargeState | undefined> => {
    const { providerReference: reference } = payment;
    return provider.lifecycle?.findCharge({ ...begun(payment), ...(reference !== null && { reference }) });
  };

  /** As `findState`. @throws ChargeNotFound when it may still arrive */
  const requireState = async (payment: Payment): Promise<ChargeState> => {
    const found = await findState(payment);
    if (found === undefined) throw new ChargeNotFound(payment.id);
    return found;
  };

  /**
   * Ends a pending payment without its client. While the payer can act, the charge is only found, because closing it would deny
   * the payer's chance.
   * @throws ChargeNotFound when it may still arrive
   */
  const end = async (payment: Payment): Promise<ChargeState> => {
    return canStillAct(payment) ? requireState(payment) : provider.closeCharge(begun(payment));
  };

  /**
   * Gives a charge up that waits for its payer or its capture.
   * @throws ApplicationError 'provider-failed' when the provider has not given it up
   */
  const cancel = async (payment: Payment): Promise<ChargeState> => {
    requireSameProvider(provider, payment);
    const { lifecycle } = provider;
    if (lifecycle?.cancel === undefined || payment.providerReference === null)
      return provider.closeCharge(begun(payment));
    const state = await lifecycle.cancel({ ...begun(payment), reference: payment.providerReference });
    if ('waitsFor' in state && state.waitsFor !== 'provider')
      throw new ApplicationError('provider-failed', 'The payment provider has not canceled the charge.');
    return state;
  };

  return { begun, settle, isRepeatable, end, findState, requireState, cancel };
};

/** The payment with the action, as far as its payer can still act. */
export const withAction = (payment: Payment, state: ChargeState): LivePayment =>
  payment.status === 'requires_action' &&
  'waitsFor' in state &&
  state.waitsFor === 'payer' &&
  state.nextAction !== null
    ? { ...payment, nextAction: state.nextAction }
    : payment;
