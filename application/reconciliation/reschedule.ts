import { Instant } from '#domain/instant.ts';
import type { Payment, PaymentId } from '#domain/payment.ts';
import { mismatchDelayMs, nextLookUpAt } from '../payments/reconciliation-delays.ts';
import { followPayment, waitingStatus } from '../payments/schedule-reconciliation.ts';
import type { LookUp } from '../ports/reconciliation-tasks.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { Clock } from '../ports/system.ts';
import type { Recorded } from './apply-snapshot.ts';
import type { LookUpResult } from './observer.ts';

/** What became of a look-up. */
export interface Ended {
  readonly result: LookUpResult;
  /** The payment that the provider has not decided for too long. */
  readonly undecided?: PaymentId;
  /** What was not recorded, because it does not fit. */
  readonly mismatches?: Recorded['mismatches'];
}

/** What follows a look-up whose result is recorded, in the same unit of work. */
export const nextLookUps = ({ clock }: { readonly clock: Clock }) => ({
  /**
   * Ends the look-up, or makes it due again when the payment still waits.
   * @param isAnew whether the payment has another status than before
   */
  keepFollowing: async (
    repositories: Repositories,
    lookUp: LookUp,
    { payment, isAnew }: { readonly payment: Payment; readonly isAnew: boolean },
  ): Promise<Ended> => {
    const { lookUps } = repositories;
    const status = await waitingStatus(repositories, payment);
    const now = clock.now();
    if (status === undefined || lookUp.kind !== 'charge' || isAnew) {
      await lookUps.remove(lookUp);
      await followPayment(lookUps, payment, now);
      return { result: 'recorded' };
    }
    const dueAt = nextLookUpAt(status, lookUp.createdAt, now);
    if (dueAt === undefined) {
      await lookUps.remove(lookUp);
      return { result: 'given_up', undecided: payment.id };
    }
    await lookUps.postpone(lookUp, dueAt);
    return { result: 'recorded' };
  },

  /**
   * Looks at the charge hourly, until a person has settled what does not fit. What else waits keeps its schedule.
   * @param charge its reference
   */
  lookAgain: async (
    repositories: Repositories,
    lookUp: LookUp,
    { payment, mismatches }: Recorded,
    charge: string,
  ): Promise<Ended> => {
    const { lookUps } = repositories;
    const now = clock.now();
    const hourly = Instant.plus(now, mismatchDelayMs);
    const unfit = mismatches.map(({ subject }) => subject);
    const status = await waitingStatus(repositories, payment, unfit);
    const scheduled = status && nextLookUpAt(status, lookUp.createdAt, now);
    const dueAt = scheduled !== undefined && scheduled < hourly ? scheduled : hourly;
    if (lookUp.kind === 'charge') {
      await lookUps.postpone(lookUp, dueAt);
    } else {
      // Under the place of the charge, so that several events about it do not tell the same several times.
      await lookUps.remove(lookUp);
      await lookUps.follow(lookUp.provider, { kind: 'charge', reference: charge }, dueAt, now);
    }
    return { result: 'failed', mismatches };
  },
});
