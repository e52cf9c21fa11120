import { Instant } from '#domain/instant.ts';
import type { Payment, PaymentId } from '#domain/payment.ts';
import { mismatchDelayMs, nextReconciliationAt } from '../payments/reconciliation-delays.ts';
import { scheduleReconciliation, waitingStatus } from '../payments/schedule-reconciliation.ts';
import type { ReconciliationTask } from '../ports/reconciliation-tasks.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { Clock } from '../ports/system.ts';
import type { AppliedSnapshot } from './apply-snapshot.ts';
import type { ReconciliationResult } from './observer.ts';

/** How a task has ended. */
export interface EndedTask {
  readonly result: ReconciliationResult;
  /** The payment that the provider has not decided for too long. */
  readonly undecided?: PaymentId;
  /** What was not recorded, because it differs from what was asked. */
  readonly mismatches?: AppliedSnapshot['mismatches'];
}

/** Ends or reschedules a task whose snapshot is recorded, in the same unit of work. */
export const rescheduling = ({ clock }: { readonly clock: Clock }) => ({
  /**
   * Ends the task, or makes it due again when the payment still waits.
   * @param hasChanged whether the payment has another status than before
   */
  reschedule: async (
    repositories: Repositories,
    task: ReconciliationTask,
    { payment, hasChanged }: { readonly payment: Payment; readonly hasChanged: boolean },
  ): Promise<EndedTask> => {
    const { reconciliationTasks } = repositories;
    const status = await waitingStatus(repositories, payment);
    const now = clock.now();
    if (status === undefined || task.kind !== 'charge' || hasChanged) {
      await reconciliationTasks.remove(task);
      await scheduleReconciliation(reconciliationTasks, payment, now);
      return { result: 'recorded' };
    }
    const dueAt = nextReconciliationAt(status, task.createdAt, now);
    if (dueAt === undefined) {
      await reconciliationTasks.remove(task);
      return { result: 'given_up', undecided: payment.id };
    }
    await reconciliationTasks.postpone(task, dueAt);
    return { result: 'recorded' };
  },

  /**
   * Retrieves the charge hourly, until an operator has resolved the mismatch. What else waits keeps its schedule.
   * @param charge its reference
   */
  retryAfterMismatch: async (
    repositories: Repositories,
    task: ReconciliationTask,
    { payment, mismatches }: AppliedSnapshot,
    charge: string,
  ): Promise<EndedTask> => {
    const { reconciliationTasks } = repositories;
    const now = clock.now();
    const hourly = Instant.plus(now, mismatchDelayMs);
    const mismatched = mismatches.map(({ subject }) => subject);
    const status = await waitingStatus(repositories, payment, mismatched);
    const scheduled = status && nextReconciliationAt(status, task.createdAt, now);
    const dueAt = scheduled !== undefined && scheduled < hourly ? scheduled : hourly;
    if (task.kind === 'charge') {
      await reconciliationTasks.postpone(task, dueAt);
    } else {
      // One task for the charge, so that several events about it do not report one mismatch several times.
      await reconciliationTasks.remove(task);
      await reconciliationTasks.schedule(task.provider, { kind: 'charge', reference: charge }, dueAt, now);
    }
    return { result: 'failed', mismatches };
  },
});
