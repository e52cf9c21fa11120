import { Money } from '#domain/money.ts';
import { Payment } from '#domain/payment.ts';
import { Refund } from '#domain/refund.ts';
import { applyRefundOutcome } from '../payments/apply-refund-outcome.ts';
import { followRefund } from '../payments/schedule-reconciliation.ts';
import type { ProviderRefund } from '../ports/charge-lifecycle.ts';
import type { Work } from '../ports/unit-of-work.ts';
import type { MovementDependencies } from './dependencies.ts';
import { requirePart } from './mismatches.ts';
import { outcomeOf } from './provider-refund.ts';

/**
 * Where a refund from outside enters: one that was made at the provider, as in its dashboard. It is added with `origin` `provider`, and
 * ends then as one that was asked for here and that the provider has accepted. So the payment, the order and the stock follow. Nothing
 * here can reject it. The payment is locked.
 */
export const addOutsideRefund = (dependencies: MovementDependencies) => {
  const { clock, newId } = dependencies;
  const { settle } = applyRefundOutcome(dependencies);
  return (payment: Payment, told: ProviderRefund): Work<void> =>
    async (repositories) => {
      const { refunds, payments, lookUps } = repositories;
      const at = clock.now();
      const refund = Refund.fromProvider(newId(), payment, told, at);
      await refunds.add(refund);
      await payments.save(Payment.followRefund(payment, told.amount, at));
      const outcome = outcomeOf(told);
      if (outcome === undefined) await followRefund(lookUps, refund, at);
      else await settle(refund.id, outcome)(repositories);
    };
};

/** @throws ProviderMismatch unless a refund from outside can be a part of what was captured and is not refunded yet */
export const requireOutsideRefund = (payment: Payment, told: ProviderRefund): void => {
  const captured = Payment.captured(payment);
  // What has failed moves nothing, whatever was refunded besides.
  const left = told.status === 'failed' ? captured : Money.minus(captured, payment.refunded);
  requirePart(payment, left, told.amount, `Its refund ${told.reference}`);
};
