import { Instant } from '#domain/instant.ts';
import { farthest } from '../background/clock-skew.ts';
import type { Clock } from '../ports/clock.ts';
import type { Attempt, RememberedKey, Undertaking } from '../ports/idempotency.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { UnitOfWork, Work } from '../ports/unit-of-work.ts';
import type { Beginning, Phases } from '../use-case.ts';
import {
  type Attempted,
  answerOf,
  inProgress,
  isUnsettled,
  newKey,
  type Undertaken,
} from './idempotency-record.ts';
import type { Outcome } from './outcome.ts';

/** A subject that is being worked at under a lease. */
export interface Claim<Subject> {
  readonly subject: Subject;
  readonly undertaking: Undertaking;
}

/** As `WriteAnswer`; null when nobody waits for an answer. */
type Write<Subject> = (outcome: Outcome<Subject>) => string | null;

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  /** How long whoever works at an undertaking is left alone, in milliseconds. */
  readonly leaseMilliseconds: number;
}

/** Work in phases, done by one at a time: begun or taken up, then finished. */
export const undertakings = ({ unitOfWork, clock, leaseMilliseconds }: Dependencies) => {
  /** Writes down what is about to be asked for, and that we are at it; or its answer, when nobody need be asked. */
  const begin = async <S>(
    repositories: Repositories,
    attempt: Attempt,
    phases: Beginning<S>,
    write: Write<S>,
  ): Promise<Claim<S> | Attempted<S>> => {
    const subject = await phases.begin(repositories);
    const undertaking = { process: phases.process, subject: subject.id, leaseUntil: leaseEnd(), fence: 1 };
    const known = { ...newKey(attempt, clock.now(), { answer: null, undertaking }), undertaking };
    await repositories.idempotencyKeys.add(known);
    return phases.isPending(subject)
      ? { subject, undertaking }
      : conclude(repositories, known, phases, write, async () => subject);
  };

  /**
   * Goes on where somebody stopped: the lease is ours now, and the fence keeps out whoever had it before. What they have
   * settled is only answered.
   * @throws ApplicationError 'key-in-progress' while their lease holds
   */
  const takeUp = async <S>(
    repositories: Repositories,
    known: Undertaken,
    phases: Phases<S>,
    write: Write<S>,
  ): Promise<Claim<S> | Attempted<S>> => {
    const { subject, leaseUntil, fence } = known.undertaking;
    if (leaseUntil === null) return answerSettled(repositories, known, phases, write);
    const now = clock.now();
    if (leaseUntil > now && leaseUntil <= farthest(now, leaseMilliseconds)) throw inProgress();
    const undertaking = { ...known.undertaking, leaseUntil: leaseEnd(), fence: fence + 1 };
    await repositories.idempotencyKeys.save({ ...known, undertaking });
    return { subject: await phases.resume(subject)(repositories), undertaking };
  };

  /**
   * Makes the call, in no transaction, then writes down what came of it together with the answer, unless somebody else
   * has taken it up meanwhile.
   * @throws whatever the call throws; ApplicationError 'key-in-progress' when somebody else is at it now
   */
  const finish = async <S>(
    attempt: Attempt,
    claim: Claim<S>,
    phases: Phases<S>,
    write: Write<S>,
  ): Promise<Attempted<S>> => {
    try {
      requireLease(claim);
      const settle = await phases.call(claim.subject);
      const settling: Work<Attempted<S>> = async (repositories) => {
        const known = await repositories.idempotencyKeys.hold(attempt.userId, attempt.key);
        if (!isSame(known, claim)) throw inProgress();
        return isOurs(known, claim)
          ? conclude(repositories, known, phases, write, settle)
          : answerSettled(repositories, known, phases, write);
      };
      // The one outside has been asked: what they said is written down however late it is.
      return await unitOfWork.run(settling, { user: attempt.userId, until: Number.POSITIVE_INFINITY });
    } catch (error) {
      // When this fails too, the lease ends by itself, and the first failure is still the one to tell of.
      await release(attempt, claim).catch(() => undefined);
      throw error;
    }
  };

  /** Writes down what came of it and the answer, in the unit of work that it is called in. */
  const conclude = async <S>(
    repositories: Repositories,
    known: Undertaken,
    phases: Phases<S>,
    write: Write<S>,
    settle: Work<S>,
  ): Promise<Attempted<S>> => {
    const outcome = phases.outcome(await settle(repositories));
    const undertaking = { ...known.undertaking, leaseUntil: null };
    await repositories.idempotencyKeys.save({ ...known, answer: write(outcome), undertaking });
    return { outcome };
  };

  /** The answer to what somebody else has settled. @throws ApplicationError 'key-in-progress' when nobody has */
  const answerSettled = async <S>(
    repositories: Repositories,
    known: Undertaken,
    phases: Phases<S>,
    write: Write<S>,
  ): Promise<Attempted<S>> => {
    if (known.answer !== null || isUnsettled(known)) return answerOf(known);
    const outcome = phases.outcome(await phases.resume(known.undertaking.subject)(repositories));
    const answer = write(outcome);
    if (answer !== null) await repositories.idempotencyKeys.save({ ...known, answer });
    return { outcome };
  };

  /** Lets the next attempt begin at once. */
  const release = <S>(attempt: Attempt, claim: Claim<S>): Promise<void> =>
    unitOfWork.run(async ({ idempotencyKeys }) => {
      const known = await idempotencyKeys.hold(attempt.userId, attempt.key);
      if (!isSame(known, claim) || !isOurs(known, claim) || !isUnsettled(known)) return;
      const undertaking = { ...claim.undertaking, leaseUntil: clock.now() };
      await idempotencyKeys.save({ ...known, undertaking });
    });

  /** Whoever was held up until the lease was over asks for nothing: somebody else may be at it. */
  const requireLease = <S>({ undertaking: { leaseUntil } }: Claim<S>): void => {
    if (leaseUntil !== null && leaseUntil <= clock.now()) throw inProgress();
  };

  const leaseEnd = (): Instant => Instant.plus(clock.now(), leaseMilliseconds);

  return { begin, takeUp, finish };
};

/** After a day the key may stand for another undertaking, whose fence is counted anew. */
const isSame = <S>(known: RememberedKey | undefined, { undertaking }: Claim<S>): known is Undertaken =>
  known?.undertaking?.subject === undertaking.subject;

/** Whether nobody has taken it up since: the fence is the number that we put there. */
const isOurs = <S>(known: Undertaken, { undertaking }: Claim<S>): boolean =>
  known.undertaking.fence === undertaking.fence;
