import { Role } from '#domain/access.ts';
import { DomainError } from '#domain/errors.ts';
import { Instant } from '#domain/instant.ts';
import { forbidden } from '../access.ts';
import { ApplicationError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Attempt, IdempotencyKeys, RememberedKey } from '../ports/idempotency.ts';
import type { Mandate, UnitOfWork, Work } from '../ports/unit-of-work.ts';
import type { Beginning, Phases } from '../use-case.ts';
import {
  type Attempted,
  answerOf,
  isUndertaken,
  isUnsettled,
  newKey,
  type WriteAnswer,
} from './idempotency-record.ts';
import { type Claim, undertakings } from './leased-process.ts';
import { isFinal } from './outcome.ts';

/** How long a key is remembered, in milliseconds, counted from its creation: 24 hours. */
export const keyLifetime = 24 * 60 * 60 * 1000;

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  /** How long whoever works at an undertaking is left alone, in milliseconds. */
  readonly leaseMilliseconds: number;
}

export type Idempotency = ReturnType<typeof idempotency>;

/** Carries out what a client may send many times, and carries it out once. */
export const idempotency = ({ unitOfWork, clock, leaseMilliseconds }: Dependencies) => {
  const { begin, takeUp, finish } = undertakings({ unitOfWork, clock, leaseMilliseconds });

  /**
   * Replay: finds the response that was stored for the key. A stored response is final, so it is read without a lock.
   * @returns undefined when the key is new, has expired, or its process is not settled
   * @throws as `command` does
   */
  const answeredBefore = async (
    attempt: Attempt,
    until: number,
  ): Promise<{ readonly remembered: string } | undefined> => {
    const known = await unitOfWork.read(
      ({ idempotencyKeys }) => idempotencyKeys.find(attempt.userId, attempt.key),
      { user: attempt.userId, until },
    );
    if (known === undefined || known.answer === null || isUnsettled(known) || isOver(known)) return undefined;
    requireSame(known, attempt);
    return { remembered: known.answer };
  };

  /**
   * The work, its key and its answer commit together. Of two attempts at once the second waits for the first, or
   * loses the race for the key and is run again; either way it finds the answer.
   * @param until when nobody waits for it any more, by `performance.now()`
   * @throws ApplicationError 'key-reused'; DomainError 'forbidden' when the caller was trusted more the first time
   */
  const command = async <T>(
    attempt: Attempt,
    work: Work<T>,
    write: WriteAnswer<T>,
    until = forEver,
  ): Promise<Attempted<T>> =>
    (await answeredBefore(attempt, until)) ??
    orRefused(attempt, write, until, async (repositories) => {
      const known = await recall(repositories.idempotencyKeys, attempt);
      if (known) return answerOf(known);
      const outcome = { done: await work(repositories) };
      await repositories.idempotencyKeys.add(answered(attempt, write(outcome)));
      return { outcome };
    });

  /**
   * First phase: the key is claimed and the subject written down. Second: the call, in no transaction. Third: what
   * came of it, and the answer. An attempt that comes after a failure begins where the one before stopped. What the time
   * is up for is not begun any more; what was begun is written down however long it took.
   * @param until as for `command`
   * @throws as `command` does; ApplicationError 'key-in-progress', and whatever the call throws
   */
  const process = async <S>(
    attempt: Attempt,
    phases: Beginning<S>,
    write: WriteAnswer<S>,
    until = forEver,
  ): Promise<Attempted<S>> => {
    const before = await answeredBefore(attempt, until);
    if (before) return before;
    const claim = await orRefused<S, Claim<S>>(attempt, write, until, async (repositories) => {
      const known = await recall(repositories.idempotencyKeys, attempt);
      if (known === undefined) return begin(repositories, attempt, phases, write);
      return isUndertaken(known) && known.answer === null
        ? takeUp(repositories, known, phases, write)
        : answerOf(known);
    });
    return 'subject' in claim ? finish(attempt, claim, phases, write) : claim;
  };

  /**
   * Takes up what nobody came back for. No answer is written: whoever does come back gets it from the settled subject.
   * @throws ApplicationError 'key-in-progress' when somebody is at it, and whatever the call throws
   */
  const recover = async <S>(key: RememberedKey, phases: Phases<S>): Promise<void> => {
    const claim = await unitOfWork.run(async (repositories) => {
      const known = await repositories.idempotencyKeys.hold(key.userId, key.key);
      return known && isUndertaken(known) && isUnsettled(known)
        ? takeUp(repositories, known, phases, noAnswer)
        : undefined;
    });
    if (claim && 'subject' in claim) await finish(key, claim, phases, noAnswer);
  };

  /**
   * A refusal undid whatever came before it, so the key and the refusal are all that there is to keep. It may also
   * have come about because the same request was carried out meanwhile: then the answer to that is the answer.
   */
  const orRefused = async <T, Other = never>(
    attempt: Attempt,
    write: WriteAnswer<T>,
    until: number,
    work: Work<Attempted<T> | Other>,
  ): Promise<Attempted<T> | Other> => {
    const mandate: Mandate = { user: attempt.userId, until };
    try {
      return await unitOfWork.run(work, mandate);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const refusing: Work<Attempted<T>> = ({ idempotencyKeys }) =>
        refuse(idempotencyKeys, attempt, error, write);
      return unitOfWork.run(refusing, mandate);
    }
  };

  const refuse = async <T>(
    keys: IdempotencyKeys,
    attempt: Attempt,
    refused: DomainError,
    write: WriteAnswer<T>,
  ): Promise<Attempted<T>> => {
    const known = await recall(keys, attempt);
    if (known) return answerOf(known);
    if (!isFinal(refused)) throw refused;
    await keys.add(answered(attempt, write({ refused })));
    return { outcome: { refused } };
  };

  const recall = async (keys: IdempotencyKeys, attempt: Attempt): Promise<RememberedKey | undefined> => {
    const known = await keys.hold(attempt.userId, attempt.key);
    if (known === undefined) return undefined;
    if (!isUnsettled(known) && isOver(known)) {
      await keys.remove(known.userId, known.key);
      return undefined;
    }
    requireSame(known, attempt);
    return known;
  };

  const isOver = ({ createdAt }: RememberedKey): boolean =>
    clock.now() >= Instant.plus(createdAt, keyLifetime);

  const answered = (attempt: Attempt, answer: string): RememberedKey =>
    newKey(attempt, clock.now(), { answer, undertaking: null });

  return { command, process, recover };
};

/** @throws ApplicationError 'key-reused'; DomainError 'forbidden' when the caller was trusted more the first time */
const requireSame = (known: RememberedKey, attempt: Attempt): void => {
  if (known.fingerprint !== attempt.fingerprint) {
    throw new ApplicationError('key-reused', 'The idempotency key stands for another request.');
  }
  if (!Role.reaches(attempt.role, known.role)) throw forbidden();
};

const forEver = Number.POSITIVE_INFINITY;

/** Whoever comes back for it gets the answer from what was settled. */
const noAnswer = (): null => null;
