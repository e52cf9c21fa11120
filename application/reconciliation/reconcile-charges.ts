import { Instant } from '#domain/instant.ts';
import type { Payment, PaymentId } from '#domain/payment.ts';
import { ApplicationError, ProviderMismatch } from '../errors.ts';
import { type Job, runEach } from '../jobs/job.ts';
import type { ReportMismatch } from '../payments/checked-provider.ts';
import {
  hasMismatchExpired,
  isGivenUp,
  mismatchDelayMs,
  retryDelayMs,
} from '../payments/reconciliation-delays.ts';
import { awaitsCapture, awaitsOutcome } from '../payments/schedule-reconciliation.ts';
import type { ChargeLifecycle, ChargeSnapshot, ProviderObject } from '../ports/charge-lifecycle.ts';
import type { PaymentProvider } from '../ports/payment-provider.ts';
import type { ReconciliationTask } from '../ports/reconciliation-tasks.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork, Work } from '../ports/unit-of-work.ts';
import type { ApplySnapshot } from './apply-snapshot.ts';
import type { ReconciliationObserver } from './observer.ts';
import { type EndedTask, rescheduling } from './reschedule.ts';

export interface ReconciliationDependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly provider: PaymentProvider;
  readonly applySnapshot: ApplySnapshot;
  readonly reportMismatch: ReportMismatch;
  readonly observer: ReconciliationObserver;
}

/** How many tasks are attempted in a second, in all. */
const maxPerSecond = 5;

/** How often tasks of other providers are searched for and warned of, in milliseconds: hourly. */
const warningIntervalMs = 60 * 60 * 1000;

/**
 * Reconciles the charges whose tasks are due. Each task is claimed first, the charge is retrieved outside of any transaction, and its
 * snapshot is recorded in one unit of work with the end of the task. One that fails is due again by its schedule, and delays no other.
 */
export const reconcileCharges = ({
  unitOfWork,
  clock,
  provider,
  applySnapshot,
  reportMismatch,
  observer,
}: ReconciliationDependencies): Job => {
  const rate = rollingLimit(maxPerSecond, 1_000);
  const oneByOne = serially();
  const { reschedule, retryAfterMismatch } = rescheduling({ clock });
  let warnedAt: Instant | undefined;

  /** Claims the task, so that no other process attempts it at the same time. */
  const claim = (task: ReconciliationTask): Promise<boolean> =>
    unitOfWork.run(({ reconciliationTasks }) => {
      const now = clock.now();
      return reconciliationTasks.claim(task, now, Instant.plus(now, retryDelayMs(triedAgain(task), now)));
    });

  /** Retrieves the charge, and records its snapshot. */
  const retrieve = async (lifecycle: ChargeLifecycle, task: ReconciliationTask): Promise<EndedTask> => {
    const charge = task.kind === 'charge' ? task.reference : await lifecycle.findChargeOf?.(task);
    if (charge === undefined) return drop(task);
    // One after the other, so that an older snapshot of a charge is never recorded after a newer one.
    return oneByOne(charge, async () => {
      const snapshot = await lifecycle.retrieveCharge(charge);
      if (snapshot !== undefined) return unitOfWork.run(record(task, snapshot));
      // Without an event it is the charge of a payment here, which the provider has named itself.
      if (task.events === 0) throw unknownCharge(charge);
      return drop(task);
    });
  };

  const drop = async (task: ReconciliationTask): Promise<EndedTask> => {
    await unitOfWork.run(({ reconciliationTasks }) => reconciliationTasks.remove(task));
    return { result: 'unknown' };
  };

  const record =
    (task: ReconciliationTask, snapshot: ChargeSnapshot): Work<EndedTask> =>
    async (repositories) => {
      const { payments, reconciliationTasks } = repositories;
      const before =
        snapshot.paymentId === null ? undefined : await payments.find(snapshot.paymentId as PaymentId);
      // Its holder records the outcome, or the reconciler does when the holder has died.
      if (before?.status === 'pending') return { result: 'leased' };
      const isForeign = before !== undefined && !belongs(before, snapshot);
      if (before !== undefined && !isForeign && (await awaitsCapture(repositories, before, snapshot.charge)))
        return { result: 'leased' };
      const recorded = isForeign ? undefined : await applySnapshot(snapshot)(repositories);
      if (recorded === undefined) {
        await reconciliationTasks.remove(task);
        return { result: 'unknown' };
      }
      const { payment, mismatches } = recorded;
      if (mismatches.length > 0) return retryAfterMismatch(repositories, task, recorded, snapshot.reference);
      if (await awaitsOutcome(repositories, payment, snapshot.refunds)) return { result: 'leased' };
      return reschedule(repositories, task, { payment, hasChanged: before?.status !== payment.status });
    };

  /** Whether the payment was charged so. Anything can be written at a provider, the id of any payment too. */
  const belongs = (payment: Payment, { reference }: ChargeSnapshot): boolean =>
    payment.provider === provider.name && (payment.providerReference ?? reference) === reference;

  /** Ends a task that has not succeeded for too long. The others are due again since they were claimed. */
  const giveUp = async (task: ReconciliationTask, isOver = isGivenUp): Promise<boolean> => {
    if (!isOver(triedAgain(task), clock.now())) return false;
    await unitOfWork.run(({ reconciliationTasks }) => reconciliationTasks.remove(task));
    observer.warn({ reason: 'unanswered', provider: task.provider, providerObject: providerObjectOf(task) });
    return true;
  };

  const attempt = async (lifecycle: ChargeLifecycle, due: ReconciliationTask): Promise<void> => {
    if (!(await claim(due))) return;
    try {
      const { result, undecided: paymentId, mismatches = [] } = await retrieve(lifecycle, due);
      mismatches.forEach(reportMismatch);
      if (paymentId !== undefined)
        observer.warn({
          reason: 'undecided',
          provider: due.provider,
          providerObject: providerObjectOf(due),
          paymentId,
        });
      const isOver = result === 'leased' && (await giveUp(due));
      observer.ended(isOver ? 'given_up' : result);
    } catch (error) {
      // The provider has returned another charge than was asked for, which is reported already.
      if (error instanceof ProviderMismatch) {
        const isOver = await giveUp(due, hasMismatchExpired);
        const dueAt = Instant.plus(clock.now(), mismatchDelayMs);
        if (!isOver)
          await unitOfWork.run(({ reconciliationTasks }) => reconciliationTasks.postpone(due, dueAt));
        observer.ended(isOver ? 'given_up' : 'failed');
        return;
      }
      observer.ended((await giveUp(due)) ? 'given_up' : 'failed');
      throw error;
    }
  };

  /** Warns of tasks that wait since the provider was changed. */
  const warnOfOthers = async (): Promise<void> => {
    const now = clock.now();
    if (warnedAt !== undefined && now >= warnedAt && now < Instant.plus(warnedAt, warningIntervalMs)) return;
    warnedAt = now;
    for (const name of await unitOfWork.read(({ reconciliationTasks }) => reconciliationTasks.providers()))
      if (name !== provider.name) observer.warn({ reason: 'other-provider', provider: name });
  };

  return async (signal) => {
    await warnOfOthers();
    const { lifecycle } = provider;
    if (lifecycle === undefined) return { done: 0, errors: [] };
    const now = clock.now();
    const limit = rate.left(now);
    const due = await unitOfWork.read(({ reconciliationTasks }) =>
      reconciliationTasks.listDue(provider.name, now, Math.max(1, limit)),
    );
    const [first] = due;
    observer.overdue(first === undefined ? 0 : Instant.milliseconds(now) - Instant.milliseconds(first.dueAt));
    rate.use(now, Math.min(limit, due.length));
    return runEach(due.slice(0, limit), (each) => attempt(lifecycle, each), signal);
  };
};

const unknownCharge = (reference: string): ApplicationError =>
  new ApplicationError('provider-failed', `The payment provider does not know its own charge ${reference}.`);

const triedAgain = (task: ReconciliationTask): ReconciliationTask => ({
  ...task,
  attempts: task.attempts + 1,
});

const providerObjectOf = ({ kind, reference }: ReconciliationTask): ProviderObject => ({ kind, reference });

/** Counts what is done within a rolling window. @param windowMs in milliseconds */
const rollingLimit = (max: number, windowMs: number) => {
  let used: readonly Instant[] = [];

  /** How much more may be done now. A time that is later than now was noted before the clock was set back. */
  const left = (now: Instant): number => {
    const from = Instant.plus(now, -windowMs);
    used = used.filter((at) => at > from && at <= now);
    return Math.max(0, max - used.length);
  };

  return {
    left,
    use: (now: Instant, count: number): void => {
      used = [...used, ...Array.from({ length: count }, () => now)];
    },
  };
};

/** Runs tasks of one name one after the other, and those of different names side by side. */
const serially = () => {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(name: string, task: () => Promise<T>): Promise<T> => {
    const before = last.get(name) ?? Promise.resolve();
    const current = before.then(task, task);
    last.set(name, current);
    try {
      return await current;
    } finally {
      if (last.get(name) === current) last.delete(name);
    }
  };
};
