import { Money } from '#domain/money.ts';
import type { Payment, PaymentId } from '#domain/payment.ts';
import type { Refund, RefundId } from '#domain/refund.ts';
import { orderAfterPayment, paymentAfter } from './charge-outcome.ts';
import { ProviderMismatch } from './errors.ts';
import { followPayment, isAccepted } from './look-ups/waiting-payments.ts';
import type { ChargeState, Verdict } from './ports/charge.ts';
import type { Movements, ProviderRefund } from './ports/followed-charges.ts';
import type { Clock } from './ports/system.ts';
import type { Work } from './ports/unit-of-work.ts';
import { requireFound } from './preconditions.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Settles a refund, its payment and its order with the verdict of the provider. */
  readonly settleRefund: (id: RefundId, verdict: Verdict) => Work<Refund>;
}

/**
 * Records what a provider tells of a charge: what became of it, and of the refunds that the provider has accepted.
 * @returns the payment as it is now; undefined when the charge belongs to none here
 * @throws ProviderMismatch when it tells of other money than was asked for
 */
export const recordMovements =
  ({ clock, settleRefund }: Dependencies) =>
  ({ paymentId, charge, refunds }: Movements): Work<Payment | undefined> =>
  async (repositories) => {
    if (paymentId === null) return undefined;
    const { payments } = repositories;
    const payment = await payments.lock(paymentId as PaymentId);
    if (payment === undefined) return undefined;
    const charged = await recordCharge(payment, charge, clock)(repositories);
    const accepted = await acceptedRefunds(payment, refunds)(repositories);
    for (const { refund, told } of accepted) {
      requireSameMoney('refund', refund, told.amount);
      const verdict = verdictOf(told);
      if (verdict !== undefined) await settleRefund(refund.id, verdict)(repositories);
    }
    return accepted.length === 0 ? charged : requireFound(await payments.find(payment.id));
  };

const recordCharge =
  (payment: Payment, charge: ChargeState, clock: Clock): Work<Payment> =>
  async ({ payments, orders, lookUps }) => {
    const at = clock.now();
    const after = paymentAfter(payment, charge, at);
    if (after === payment) return payment;
    if ('amount' in charge) requireSameMoney('payment', payment, charge.amount);
    await payments.save(after);
    await followPayment(lookUps, after, at);
    const order = requireFound(await orders.lock(payment.orderId));
    const orderAfter = orderAfterPayment(order, after, at);
    if (orderAfter !== order) await orders.save(orderAfter);
    return after;
  };

/** The refunds here that the provider has accepted, with what it tells of each. Those that another process works on are left to it. */
const acceptedRefunds =
  (payment: Payment, refunds: readonly ProviderRefund[]): Work<{ refund: Refund; told: ProviderRefund }[]> =>
  async (repositories) => {
    if (refunds.length === 0) return [];
    const known = await repositories.refunds.findBy('paymentId', [payment.id]);
    return known.filter(isAccepted).flatMap((refund) => {
      const told = refunds.find(({ reference }) => reference === refund.providerReference);
      return told === undefined ? [] : [{ refund, told }];
    });
  };

/** @returns undefined while the provider has not decided */
const verdictOf = ({ reference, status, failure }: ProviderRefund): Verdict | undefined => {
  if (status === 'pending') return undefined;
  if (status === 'succeeded') return { reference };
  return { declined: failure ?? { code: 'failed', message: 'The refund failed at the provider.' } };
};

const requireSameMoney = (
  process: 'payment' | 'refund',
  { id, amount: asked }: { readonly id: string; readonly amount: Money },
  told: Money | undefined,
): void => {
  if (told === undefined || Money.equals(told, asked)) return;
  const [said, wanted] = [told, asked].map(({ amount, currency }) => `${amount} ${currency}`);
  throw new ProviderMismatch(process, id, `It says ${said} where ${wanted} was asked.`);
};
