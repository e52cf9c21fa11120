import { Instant } from '#domain/instant.ts';
import type { PaymentId } from '#domain/payment.ts';
import { type Concerned, concernedBy, isOfProvider } from '../errors.ts';
import type { IdempotencyRecord, IdempotentRequest, ProcessLease } from '../ports/idempotency.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import type { UnitOfWork, Work } from '../ports/unit-of-work.ts';
import type { NewProcess, Outcome, Phases } from '../use-case.ts';
import {
  type IdempotentResult,
  isHeld,
  isUnsettled,
  keyInProgress,
  leaseTimes,
  newRecord,
  type ProcessRecord,
  replayOf,
  revise,
} from './idempotency-record.ts';

/** A subject (payment or refund) that this process works on while it holds the lease. */
export interface Claim<Subject> {
  readonly subject: Subject;
  readonly lease: ProcessLease;
}

/** As `EncodeResponse`; null when no client waits for a response. */
type EncodeOptionalResponse<Subject> = (outcome: Outcome<Subject>) => string | null;

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly newId: NewId;
  /** How long a claim keeps other processes out, in milliseconds. */
  readonly leaseMs: number;
}

/**
 * Processes in atomic phases (claim, call, settle) under a lease with a fencing token. One process at a time works on a
 * subject; when it dies, another takes over after the lease has expired.
 */
export const leasedProcesses = ({ unitOfWork, clock, newId, leaseMs }: Dependencies) => {
  /**
   * Claims a new subject: stores it and the lease in one unit of work. A subject that needs no call is settled at once.
   */
  const start = async <S>(
    repositories: Repositories,
    request: IdempotentRequest,
    phases: NewProcess<S>,
    encode: EncodeOptionalResponse<S>,
  ): Promise<Claim<S> | IdempotentResult<S>> => {
    const subject = await phases.claim(repositories);
    const lease = {
      process: phases.process,
      subject: subject.id,
      leaseUntil: leaseExpiry(),
      fencingToken: 1,
    };
    const record = newRecord(request, clock.now(), newId, { response: null, lease });
    await repositories.idempotencyKeys.add(record);
    return phases.isPending(subject)
      ? { subject, lease }
      : settle(repositories, record, phases, encode, async () => subject);
  };

  /**
   * Takes over a process whose lease has expired. The incremented fencing token keeps its previous owner from writing, also when its
   * subject was settled meanwhile.
   * A process that is settled already is only replayed.
   * @throws ApplicationError 'key-in-progress' while another process holds the lease
   */
  const takeOver = async <S>(
    repositories: Repositories,
    record: ProcessRecord,
    phases: Phases<S>,
    encode: EncodeOptionalResponse<S>,
  ): Promise<Claim<S> | IdempotentResult<S>> => {
    const { subject, leaseUntil, fencingToken } = record.lease;
    if (leaseUntil === null) return replaySettled(repositories, record, phases, encode);
    const times = timesNow();
    if (isHeld(leaseUntil, times)) throw keyInProgress();
    const lease = { ...record.lease, leaseUntil: leaseExpiry(), fencingToken: fencingToken + 1 };
    const loaded = await phases.load(subject)(repositories);
    const claimed = revise(record, { lease }, times);
    // An operator or reconciliation may have settled it, so there is nothing left to call.
    if (!phases.isPending(loaded)) return settle(repositories, claimed, phases, encode, async () => loaded);
    await repositories.idempotencyKeys.save(claimed);
    return { subject: loaded, lease };
  };

  /**
   * Makes the call outside any transaction, then settles: the outcome and the response commit together, unless another
   * process has taken over.
   * @param requestId of the request that waits for it; undefined when none does
   * @throws whatever the call throws; ApplicationError 'key-in-progress' when another process has taken over
   */
  const complete = async <S>(
    request: Pick<IdempotentRequest, 'userId' | 'key'>,
    claim: Claim<S>,
    phases: Phases<S>,
    encode: EncodeOptionalResponse<S>,
    requestId?: string,
  ): Promise<IdempotentResult<S>> => {
    try {
      requireLease(claim);
      const write = await phases.call(claim.subject).catch((error: unknown) => {
        if (isOfProvider(error)) error.concerned = phases.concerns?.(claim.subject);
        throw error;
      });
      const settling: Work<IdempotentResult<S>> = async (repositories) => {
        const record = await repositories.idempotencyKeys.lock(request.userId, request.key);
        if (!isSameProcess(record, claim)) throw keyInProgress();
        return ownsLease(record, claim)
          ? settle(repositories, record, phases, encode, write)
          : replaySettled(repositories, record, phases, encode);
      };
      // The provider has been called, so its outcome is stored however late it is.
      const { userId: actor, key: idempotencyKey } = request;
      return await unitOfWork.run(settling, { actor, requestId, idempotencyKey });
    } catch (error) {
      // When the release fails too, the lease expires by itself, and the first error is the one to report.
      const concerned = await release(request, claim, concernedBy(error)).catch(() => undefined);
      if (isOfProvider(error) && concerned !== undefined) error.concerned = concerned;
      throw error;
    }
  };

  /** Stores the outcome and the response in the caller's unit of work, and ends the lease. */
  const settle = async <S>(
    repositories: Repositories,
    record: ProcessRecord,
    phases: Phases<S>,
    encode: EncodeOptionalResponse<S>,
    write: Work<S>,
  ): Promise<IdempotentResult<S>> => {
    const outcome = phases.outcome(await write(repositories));
    const lease = { ...record.lease, leaseUntil: null };
    const settled = revise(record, { response: encode(outcome), lease }, timesNow());
    await repositories.idempotencyKeys.save(settled);
    return { outcome };
  };

  /** Replays what another process settled. @throws ApplicationError 'key-in-progress' when it is not settled yet */
  const replaySettled = async <S>(
    repositories: Repositories,
    record: ProcessRecord,
    phases: Phases<S>,
    encode: EncodeOptionalResponse<S>,
  ): Promise<IdempotentResult<S>> => {
    if (record.response !== null || isUnsettled(record)) return replayOf(record);
    const outcome = phases.outcome(await phases.load(record.lease.subject)(repositories));
    const response = encode(outcome);
    if (response !== null) await repositories.idempotencyKeys.save(revise(record, { response }, timesNow()));
    return { outcome };
  };

  /**
   * Ends the lease early, so that the next request with the key takes over at once. One that has expired stays as it was shown since.
   * @param concerned what the failed call was about
   * @returns the same with the order: the subject of some processes knows only its payment
   */
  const release = <S>(
    request: Pick<IdempotentRequest, 'userId' | 'key'>,
    claim: Claim<S>,
    concerned: Concerned | undefined,
  ): Promise<Concerned | undefined> =>
    unitOfWork.run(async (repositories) => {
      await endLease(repositories, request, claim);
      if (concerned === undefined || concerned.orderId !== undefined) return concerned;
      const payment = await repositories.payments.find(concerned.paymentId as PaymentId);
      return { ...concerned, orderId: payment?.orderId };
    });

  const endLease = async <S>(
    { idempotencyKeys }: Pick<Repositories, 'idempotencyKeys'>,
    request: Pick<IdempotentRequest, 'userId' | 'key'>,
    claim: Claim<S>,
  ): Promise<void> => {
    const record = await idempotencyKeys.lock(request.userId, request.key);
    if (!isSameProcess(record, claim) || !ownsLease(record, claim) || !isUnsettled(record)) return;
    const { leaseUntil } = record.lease;
    if (leaseUntil === null || !isHeld(leaseUntil, timesNow())) return;
    const lease = { ...claim.lease, leaseUntil: clock.now() };
    // Its version stays: that the lease has expired counts as a change of the resource anyway.
    await idempotencyKeys.save({ ...record, lease });
  };

  /** A process that was delayed until its lease expired makes no call: another process may make it now. */
  const requireLease = <S>({ lease: { leaseUntil } }: Claim<S>): void => {
    if (leaseUntil !== null && leaseUntil <= clock.now()) throw keyInProgress();
  };

  const timesNow = () => leaseTimes(clock.now(), leaseMs);

  const leaseExpiry = (): Instant => Instant.plus(clock.now(), leaseMs);

  return { start, takeOver, complete };
};

/** An expired key can be used for another process, whose fencing tokens start at 1 again. */
const isSameProcess = <S>(
  record: IdempotencyRecord | undefined,
  { lease }: Claim<S>,
): record is ProcessRecord => record?.lease?.subject === lease.subject;

/** The check of the fencing token: whether it is still the claim's own, so that no other process has taken over. */
const ownsLease = <S>(record: ProcessRecord, { lease }: Claim<S>): boolean =>
  record.lease.fencingToken === lease.fencingToken;
