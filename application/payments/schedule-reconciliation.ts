import type { Instant } from '#domain/instant.ts';
import { Money } from '#domain/money.ts';
import type { Payment } from '#domain/payment.ts';
import type { Refund } from '#domain/refund.ts';
import type { ChargeState } from '../ports/charge.ts';
import type { ProviderRefund } from '../ports/charge-lifecycle.ts';
import type { ReconciliationTaskStore } from '../ports/reconciliation-tasks.ts';
import type { ReadRepositories } from '../ports/repositories.ts';
import { isProviderObject } from './provider-objects.ts';
import { nextReconciliationAt, type WaitingStatus } from './reconciliation-delays.ts';

/**
 * What a payment waits for. A refund that its provider has accepted is waited for as the decision on a charge is.
 * @param except the ids of payments and refunds that wait for a person
 */
export const waitingStatus = async (
  { refunds }: Pick<ReadRepositories, 'refunds'>,
  { id, status }: Payment,
  except: readonly string[] = [],
): Promise<WaitingStatus | undefined> => {
  if (status === 'requires_action' || status === 'processing')
    return except.includes(id) ? undefined : status;
  const found = await refunds.findBy('paymentId', [id]);
  return found.some((refund) => isAccepted(refund) && !except.includes(refund.id)) ? 'processing' : undefined;
};

/** Whether the provider has accepted a refund and has not decided on it. */
export const isAccepted = ({ status, providerReference }: Refund): boolean =>
  status === 'pending' && providerReference !== null;

/**
 * Whether the provider reports a refund whose own request has not returned yet. That outcome can be older than the report: of a refund
 * that has failed late a provider repeats that it succeeded.
 */
export const awaitsOutcome = async (
  { refunds }: Pick<ReadRepositories, 'refunds'>,
  payment: Payment,
  reported: readonly ProviderRefund[],
): Promise<boolean> => {
  if (reported.every(({ refundId }) => refundId === null)) return false;
  const found = await refunds.findBy('paymentId', [payment.id]);
  return found.some(
    ({ id, status, providerReference }) =>
      status === 'pending' && providerReference === null && reported.some(({ refundId }) => refundId === id),
  );
};

/**
 * Whether the provider reports other money than a capture from here asks for, whose request has not returned yet. Only its outcome
 * shows whether the capture was made otherwise than asked, or another one at the provider came first.
 */
export const awaitsCapture = async (
  { captures }: Pick<ReadRepositories, 'captures'>,
  { id, status, amount }: Payment,
  charge: ChargeState,
): Promise<boolean> => {
  const isCaptured = !('waitsFor' in charge || 'declined' in charge || 'canceled' in charge);
  if (status !== 'authorized' || !isCaptured) return false;
  const found = await captures.findBy('paymentId', [id]);
  return found.some(
    (capture) => capture.status === 'pending' && !Money.equals(capture.amount, charge.amount ?? amount),
  );
};

interface Waiting {
  readonly provider: string;
  readonly chargeReference: string | null;
  readonly status: WaitingStatus;
  readonly since: Instant;
}

/** Schedules the first reconciliation of a charge, unless it has a task. */
const schedule = async (
  tasks: ReconciliationTaskStore,
  { provider, chargeReference, status, since }: Waiting,
  now: Instant,
): Promise<void> => {
  const providerObject = { kind: 'charge', reference: chargeReference };
  if (!isProviderObject(providerObject)) return;
  await tasks.schedule(provider, providerObject, nextReconciliationAt(status, since, now) ?? now, since);
};

/**
 * Schedules the reconciliation of a payment that waits for its payer or its provider, so that it is settled without events too. Does nothing for
 * any other payment. It belongs in the unit of work that saves the status.
 */
export const scheduleReconciliation = async (
  tasks: ReconciliationTaskStore,
  payment: Payment,
  now: Instant,
): Promise<void> => {
  const { provider, providerReference: chargeReference, status, createdAt } = payment;
  if (status === 'requires_action')
    await schedule(tasks, { provider, chargeReference, status, since: createdAt }, now);
  if (status === 'processing') await schedule(tasks, { provider, chargeReference, status, since: now }, now);
};

/** Schedules the reconciliation of a payment for now, unless it has a task. */
export const reconcileSoon = async (
  tasks: ReconciliationTaskStore,
  { provider, providerReference }: Payment,
  now: Instant,
): Promise<void> => {
  const providerObject = { kind: 'charge', reference: providerReference };
  if (isProviderObject(providerObject)) await tasks.schedule(provider, providerObject, now, now);
};

/** Schedules the reconciliation of a payment for now, also when its task was postponed before. */
export const reconcileNow = async (
  tasks: ReconciliationTaskStore,
  payment: Payment,
  now: Instant,
): Promise<void> => {
  const { provider, providerReference: reference } = payment;
  await reconcileSoon(tasks, payment, now);
  const task = reference === null ? undefined : await tasks.find(provider, { kind: 'charge', reference });
  if (task !== undefined && task.dueAt > now) await tasks.postpone(task, now);
};

/** Schedules the reconciliation of a refund that its provider has accepted. It belongs in the unit of work that saves that. */
export const scheduleRefundReconciliation = (
  tasks: ReconciliationTaskStore,
  { provider, chargeReference }: Refund,
  now: Instant,
): Promise<void> => schedule(tasks, { provider, chargeReference, status: 'processing', since: now }, now);
