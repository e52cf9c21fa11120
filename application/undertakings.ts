import { Instant } from '#domain/instant.ts';
import type { Outcome } from './outcome.ts';
import type { Clock } from './ports/clock.ts';
import type { Attempt, RememberedKey, Undertaking } from './ports/idempotency.ts';
import type { Repositories } from './ports/repositories.ts';
import type { UnitOfWork } from './ports/unit-of-work.ts';
import { type Attempted, answerOf, inProgress, newKey } from './remembered-key.ts';
import type { Beginning, Phases } from './use-case.ts';

/** A subject that is being worked at under a lease. */
export interface Claim<Subject> {
  readonly subject: Subject;
  readonly undertaking: Undertaking;
  /** Whether somebody has worked at it before. */
  readonly again: boolean;
}

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  /** How long whoever works at an undertaking is left alone, in milliseconds. */
  readonly leaseMilliseconds: number;
}

/** Work in phases, done by one at a time: begun or taken up, then finished. */
export const undertakings = ({ unitOfWork, clock, leaseMilliseconds }: Dependencies) => {
  /** Writes down what is about to be asked for, and that we are at it. */
  const begin = async <S>(
    repositories: Repositories,
    attempt: Attempt,
    phases: Beginning<S>,
  ): Promise<Claim<S>> => {
    const subject = await phases.begin(repositories);
    const undertaking = { process: phases.process, subject: subject.id, leaseUntil: leaseEnd(), fence: 1 };
    const remembered = newKey(attempt, clock.now(), { answer: null, undertaking });
    await repositories.idempotencyKeys.add(remembered);
    return { subject, undertaking, again: false };
  };

  /**
   * Goes on where somebody stopped: the lease is ours now, and the fence keeps out whoever had it before.
   * @throws ApplicationError 'key-in-progress' while their lease holds
   */
  const takeUp = async <S>(
    repositories: Repositories,
    known: RememberedKey,
    phases: Phases<S>,
  ): Promise<Claim<S>> => {
    if (known.undertaking === null) throw inProgress();
    const { leaseUntil, fence } = known.undertaking;
    if (leaseUntil !== null && leaseUntil > clock.now()) throw inProgress();
    const undertaking = { ...known.undertaking, leaseUntil: leaseEnd(), fence: fence + 1 };
    await repositories.idempotencyKeys.save({ ...known, undertaking });
    return { subject: await phases.resume(undertaking.subject)(repositories), undertaking, again: true };
  };

  /**
   * Makes the call, in no transaction, then writes down what came of it together with the answer, unless somebody else
   * has taken it up meanwhile.
   * @param write gives null when nobody waits for an answer
   * @throws whatever the call throws; ApplicationError 'key-in-progress' when it is somebody else's now
   */
  const finish = async <S>(
    attempt: Attempt,
    claim: Claim<S>,
    phases: Phases<S>,
    write: (outcome: Outcome<S>) => string | null,
  ): Promise<Attempted<S>> => {
    const settle = phases.isPending(claim.subject)
      ? await phases.call(claim.subject, claim.again).catch((error) => release(attempt, claim, error))
      : phases.resume(claim.undertaking.subject);
    return unitOfWork.run(async (repositories) => {
      const { idempotencyKeys } = repositories;
      const known = await idempotencyKeys.hold(attempt.userId, attempt.key);
      if (!isOurs(known, claim)) return answerOf(known);
      const outcome = phases.outcome(await settle(repositories));
      const undertaking = { ...claim.undertaking, leaseUntil: null };
      await idempotencyKeys.save({ ...known, answer: write(outcome), undertaking });
      return { outcome };
    });
  };

  /** Lets the next attempt begin at once, then passes on why this one failed. */
  const release = async <S>(attempt: Attempt, claim: Claim<S>, cause: unknown): Promise<never> => {
    const released = unitOfWork.run(async ({ idempotencyKeys }) => {
      const known = await idempotencyKeys.hold(attempt.userId, attempt.key);
      if (!isOurs(known, claim)) return;
      const undertaking = { ...claim.undertaking, leaseUntil: clock.now() };
      await idempotencyKeys.save({ ...known, undertaking });
    });
    // When this fails too, the lease ends by itself, and the first failure is still the one to tell of.
    await Promise.allSettled([released]);
    throw cause;
  };

  const leaseEnd = (): Instant => Instant.plus(clock.now(), leaseMilliseconds);

  return { begin, takeUp, finish };
};

/**
 * Whether nobody has taken the undertaking up since: the fence is the number that we put there. After a day the key may
 * stand for another undertaking, whose fence is counted anew.
 */
const isOurs = <S>(known: RememberedKey | undefined, { undertaking }: Claim<S>): known is RememberedKey =>
  known?.undertaking?.subject === undertaking.subject && known.undertaking.fence === undertaking.fence;
