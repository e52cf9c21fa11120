import { Money } from '#domain/money.ts';
import { Payment } from '#domain/payment.ts';
import { Refund } from '#domain/refund.ts';
import { applyRefundOutcome } from '../payments/apply-refund-outcome.ts';
import { scheduleRefundReconciliation } from '../payments/schedule-reconciliation.ts';
import type { ProviderRefund } from '../ports/charge-lifecycle.ts';
import type { Work } from '../ports/unit-of-work.ts';
import type { SnapshotDependencies } from './dependencies.ts';
import { requirePart } from './mismatches.ts';
import { outcomeOf } from './provider-refund.ts';

/**
 * Records an external refund: one that was made at the provider, as in its dashboard. It is added with `origin` `provider`, and
 * ends then as one that was requested here and that the provider has accepted. So the payment, the order and the stock follow. Nothing
 * here can reject it. The payment is locked.
 */
export const addExternalRefund = (dependencies: SnapshotDependencies) => {
  const { clock, newId } = dependencies;
  const { settle } = applyRefundOutcome(dependencies);
  return (payment: Payment, reported: ProviderRefund): Work<void> =>
    async (repositories) => {
      const { refunds, payments, reconciliationTasks } = repositories;
      const at = clock.now();
      const refund = Refund.fromProvider(newId(), payment, reported, at);
      await refunds.add(refund);
      await payments.save(Payment.followRefund(payment, reported.amount, at));
      const outcome = outcomeOf(reported);
      if (outcome === undefined) await scheduleRefundReconciliation(reconciliationTasks, refund, at);
      else await settle(refund.id, outcome)(repositories);
    };
};

/** @throws ProviderMismatch unless an external refund can be a part of what was captured and is not refunded yet */
export const requireExternalRefund = (payment: Payment, reported: ProviderRefund): void => {
  const captured = Payment.captured(payment);
  // What has failed moves nothing, whatever was refunded besides.
  const left = reported.status === 'failed' ? captured : Money.minus(captured, payment.refunded);
  requirePart(payment, left, reported.amount, `Its refund ${reported.reference}`);
};
