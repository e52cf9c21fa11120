import type { Instant } from '#domain/instant.ts';
import type { Order } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { NewId } from '../ports/system.ts';
import { orderAfterPayment } from './charge-outcome.ts';
import { recordExternalCapture } from './external-captures.ts';
import { scheduleReconciliation } from './schedule-reconciliation.ts';

/** A payment that its provider has changed, and its order, both locked. */
interface Changed {
  readonly payment: Payment;
  readonly order: Order;
}

export interface ChargeOutcomeDependencies {
  readonly newId: NewId;
  /** How long an order waits to be paid, in milliseconds. By default, and with 0, forever. */
  readonly orderLifetimeMs?: number;
}

/** Records what became of a charge: its payment, its order, its capture, and the next reconciliation. */
export const applyChargeOutcome = ({ newId, orderLifetimeMs }: ChargeOutcomeDependencies) => {
  const recordCapture = recordExternalCapture(newId);
  return async (repositories: Repositories, { payment, order }: Changed, at: Instant): Promise<void> => {
    const { payments, orders, reconciliationTasks } = repositories;
    await payments.save(payment);
    await recordCapture(payment, at)(repositories);
    await scheduleReconciliation(reconciliationTasks, payment, at);
    const orderAfter = orderAfterPayment(order, payment, at, orderLifetimeMs);
    if (orderAfter !== order) await orders.save(orderAfter);
  };
};
