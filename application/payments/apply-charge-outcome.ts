import type { Instant } from '#domain/instant.ts';
import type { Order } from '#domain/order.ts';
import type { Payment } from '#domain/payment.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { NewId } from '../ports/system.ts';
import { orderAfterPayment } from './charge-outcome.ts';
import { recordOutsideCapture } from './external-captures.ts';
import { followPayment } from './schedule-reconciliation.ts';

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

/** What follows from the word of a provider on a charge: the payment, its order, its capture, and where to look next. */
export const applyChargeOutcome = ({ newId, orderLifetimeMs }: ChargeOutcomeDependencies) => {
  const recordCapture = recordOutsideCapture(newId);
  return async (repositories: Repositories, { payment, order }: Changed, at: Instant): Promise<void> => {
    const { payments, orders, lookUps } = repositories;
    await payments.save(payment);
    await recordCapture(payment, at)(repositories);
    await followPayment(lookUps, payment, at);
    const orderAfter = orderAfterPayment(order, payment, at, orderLifetimeMs);
    if (orderAfter !== order) await orders.save(orderAfter);
  };
};
