import { Instant } from '#domain/instant.ts';
import type { Payment, PaymentId } from '#domain/payment.ts';
import { ApplicationError, ProviderMismatch } from '../errors.ts';
import { type Job, runEach } from '../jobs/job.ts';
import type { ReportMismatch } from '../payments/checked-provider.ts';
import {
  isGivenUp,
  isMistoldTooLong,
  mismatchDelayMs,
  retryDelayMs,
} from '../payments/reconciliation-delays.ts';
import { awaitsCapture, awaitsOutcome } from '../payments/schedule-reconciliation.ts';
import type { ChargeLifecycle, ChargeSnapshot, Place } from '../ports/charge-lifecycle.ts';
import type { PaymentProvider } from '../ports/payment-provider.ts';
import type { LookUp } from '../ports/reconciliation-tasks.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork, Work } from '../ports/unit-of-work.ts';
import type { RecordMovements } from './apply-snapshot.ts';
import type { LookUpObserver } from './observer.ts';
import { type Ended, nextLookUps } from './reschedule.ts';
import { rollingLimit } from './rolling-limit.ts';
import { serially } from './serially.ts';

export interface LookUpDependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly provider: PaymentProvider;
  readonly record: RecordMovements;
  readonly reportMismatch: ReportMismatch;
  readonly observer: LookUpObserver;
}

/** How many look-ups are made in a second, in all. */
const maxPerSecond = 5;

/** How often look-ups of other providers are searched for and warned of, in milliseconds: hourly. */
const warningIntervalMs = 60 * 60 * 1000;

/**
 * Looks at the provider wherever a look-up is due. Each is taken first, the provider is asked outside of any transaction, and what it
 * tells is recorded in one unit of work with the end of the look-up. One that fails is due again by its schedule, and delays no other.
 */
export const lookUpJob = ({
  unitOfWork,
  clock,
  provider,
  record,
  reportMismatch,
  observer,
}: LookUpDependencies): Job => {
  const rate = rollingLimit(maxPerSecond, 1_000);
  const ends = serially();
  const { keepFollowing, lookAgain } = nextLookUps({ clock });
  let warnedAt: Instant | undefined;

  /** Takes the look-up, so that no other process makes it at the same time. */
  const take = (lookUp: LookUp): Promise<boolean> =>
    unitOfWork.run(({ lookUps }) => {
      const now = clock.now();
      return lookUps.take(lookUp, now, Instant.plus(now, retryDelayMs(triedAgain(lookUp), now)));
    });

  /** Asks the provider, and records what it tells. */
  const ask = async (lifecycle: ChargeLifecycle, lookUp: LookUp): Promise<Ended> => {
    const charge = lookUp.kind === 'charge' ? lookUp.reference : await lifecycle.findChargeOf?.(lookUp);
    if (charge === undefined) return drop(lookUp);
    // One after the other, so that an older word on a charge is never recorded behind a newer one.
    return ends(charge, async () => {
      const movements = await lifecycle.retrieveCharge(charge);
      if (movements !== undefined) return unitOfWork.run(settle(lookUp, movements));
      // Without an event it is the charge of a payment here, which the provider has named itself.
      if (lookUp.events === 0) throw unknownCharge(charge);
      return drop(lookUp);
    });
  };

  const drop = async (lookUp: LookUp): Promise<Ended> => {
    await unitOfWork.run(({ lookUps }) => lookUps.remove(lookUp));
    return { result: 'unknown' };
  };

  const settle =
    (lookUp: LookUp, movements: ChargeSnapshot): Work<Ended> =>
    async (repositories) => {
      const { payments, lookUps } = repositories;
      const before =
        movements.paymentId === null ? undefined : await payments.find(movements.paymentId as PaymentId);
      // Its holder records the outcome, or the reconciler does when the holder has died.
      if (before?.status === 'pending') return { result: 'leased' };
      const isForeign = before !== undefined && !belongs(before, movements);
      if (before !== undefined && !isForeign && (await awaitsCapture(repositories, before, movements.charge)))
        return { result: 'leased' };
      const recorded = isForeign ? undefined : await record(movements)(repositories);
      if (recorded === undefined) {
        await lookUps.remove(lookUp);
        return { result: 'unknown' };
      }
      const { payment, mismatches } = recorded;
      if (mismatches.length > 0) return lookAgain(repositories, lookUp, recorded, movements.reference);
      if (await awaitsOutcome(repositories, payment, movements.refunds)) return { result: 'leased' };
      return keepFollowing(repositories, lookUp, { payment, isAnew: before?.status !== payment.status });
    };

  /** Whether the payment was charged so. Anything can be written at a provider, the id of any payment too. */
  const belongs = (payment: Payment, { reference }: ChargeSnapshot): boolean =>
    payment.provider === provider.name && (payment.providerReference ?? reference) === reference;

  /** Ends a look-up that has not succeeded for too long. The others are due again since they were taken. */
  const giveUp = async (lookUp: LookUp, isOver = isGivenUp): Promise<boolean> => {
    if (!isOver(triedAgain(lookUp), clock.now())) return false;
    await unitOfWork.run(({ lookUps }) => lookUps.remove(lookUp));
    observer.warn({ reason: 'unanswered', provider: lookUp.provider, place: placeOf(lookUp) });
    return true;
  };

  const lookUp = async (lifecycle: ChargeLifecycle, due: LookUp): Promise<void> => {
    if (!(await take(due))) return;
    try {
      const { result, undecided: paymentId, mismatches = [] } = await ask(lifecycle, due);
      mismatches.forEach(reportMismatch);
      if (paymentId !== undefined)
        observer.warn({ reason: 'undecided', provider: due.provider, place: placeOf(due), paymentId });
      const isOver = result === 'leased' && (await giveUp(due));
      observer.ended(isOver ? 'given_up' : result);
    } catch (error) {
      // The provider has told of another charge than was asked, which is reported already.
      if (error instanceof ProviderMismatch) {
        const isOver = await giveUp(due, isMistoldTooLong);
        const dueAt = Instant.plus(clock.now(), mismatchDelayMs);
        if (!isOver) await unitOfWork.run(({ lookUps }) => lookUps.postpone(due, dueAt));
        observer.ended(isOver ? 'given_up' : 'failed');
        return;
      }
      observer.ended((await giveUp(due)) ? 'given_up' : 'failed');
      throw error;
    }
  };

  /** Warns of look-ups that were left behind by a change of the provider. */
  const warnOfOthers = async (): Promise<void> => {
    const now = clock.now();
    if (warnedAt !== undefined && now >= warnedAt && now < Instant.plus(warnedAt, warningIntervalMs)) return;
    warnedAt = now;
    for (const name of await unitOfWork.read(({ lookUps }) => lookUps.providers()))
      if (name !== provider.name) observer.warn({ reason: 'other-provider', provider: name });
  };

  return async (signal) => {
    await warnOfOthers();
    const { lifecycle } = provider;
    if (lifecycle === undefined) return { done: 0, errors: [] };
    const now = clock.now();
    const limit = rate.left(now);
    const due = await unitOfWork.read(({ lookUps }) => lookUps.due(provider.name, now, Math.max(1, limit)));
    const [first] = due;
    observer.overdue(first === undefined ? 0 : Instant.milliseconds(now) - Instant.milliseconds(first.dueAt));
    rate.use(now, Math.min(limit, due.length));
    return runEach(due.slice(0, limit), (each) => lookUp(lifecycle, each), signal);
  };
};

const unknownCharge = (reference: string): ApplicationError =>
  new ApplicationError('provider-failed', `The payment provider does not know its own charge ${reference}.`);

const triedAgain = (lookUp: LookUp): LookUp => ({ ...lookUp, attempts: lookUp.attempts + 1 });

const placeOf = ({ kind, reference }: LookUp): Place => ({ kind, reference });
