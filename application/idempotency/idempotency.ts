import { Role } from '#domain/access.ts';
import { DomainError } from '#domain/errors.ts';
import { Instant } from '#domain/instant.ts';
import { KeyReused } from '../errors.ts';
import type { IdempotencyRecord, IdempotencyStore, IdempotentRequest } from '../ports/idempotency.ts';
import type { Repositories } from '../ports/repositories.ts';
import type { Clock, NewId } from '../ports/system.ts';
import type { RequestContext, UnitOfWork, Work } from '../ports/unit-of-work.ts';
import { forbidden } from '../preconditions.ts';
import type { NewProcess, Phases } from '../use-case.ts';
import {
  type EncodeResponse,
  hasProcess,
  type IdempotentResult,
  isHeld,
  isReplayable,
  isUnsettled,
  leaseTimes,
  newRecord,
  replayOf,
} from './idempotency-record.ts';
import { differingFields } from './key-resource.ts';
import { type Claim, leasedProcesses } from './leased-process.ts';

/** How long an idempotency record is kept after its creation, in milliseconds: 24 hours. */
export const idempotencyKeyLifetimeMs = 24 * 60 * 60 * 1000;

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly newId: NewId;
  /** How long a claim keeps other processes out, in milliseconds. */
  readonly leaseMs: number;
}

export type Idempotency = ReturnType<typeof idempotency>;

/** Carries out a request exactly once, however often its client sends it with the same idempotency key. */
export const idempotency = ({ unitOfWork, clock, newId, leaseMs }: Dependencies) => {
  const { start, takeOver, complete } = leasedProcesses({ unitOfWork, clock, newId, leaseMs });

  /**
   * Reads the record of the key without a lock, and then runs work in one unit of work that finds its record, if there is one.
   * A stored response never changes, so it is returned at once.
   *
   * A key that is new is not looked up again: `add` fails when another request with it was faster, and the second run of the
   * work finds that one's record.
   * @throws as `command` does
   */
  const withRecord = async <T, Other = never>(
    request: IdempotentRequest,
    encode: EncodeResponse<T>,
    requestContext: RequestContext,
    work: (
      repositories: Repositories,
      record: IdempotencyRecord | undefined,
    ) => Promise<IdempotentResult<T> | Other>,
  ): Promise<IdempotentResult<T> | Other> => {
    const context = { ...requestContext, idempotencyKey: request.key };
    const found = await unitOfWork.read(
      ({ idempotencyKeys }) => idempotencyKeys.find(request.userId, request.key),
      context,
    );
    if (found !== undefined && found.response !== null && !isUnsettled(found) && !isExpired(found)) {
      requireSameRequest(found, request);
      return { replayed: found.response };
    }
    let isNew = found === undefined;
    return orStoreRejection(request, encode, context, async (repositories) => {
      const record = isNew ? undefined : await lockRecord(repositories.idempotencyKeys, request);
      isNew = false;
      return work(repositories, record);
    });
  };

  /**
   * Runs work in one unit of work. Its changes, the key and the response commit together, so of two concurrent requests
   * with one key the second replays the first.
   * @param context by default that of the request's user, who waits as long as it takes
   * @throws ApplicationError 'key-reused' for another request with the key
   * @throws DomainError 'forbidden' when the caller's role is lower than at the first request
   */
  const command = <T>(
    request: IdempotentRequest,
    work: Work<T>,
    encode: EncodeResponse<T>,
    context: RequestContext = { actor: request.userId },
  ): Promise<IdempotentResult<T>> =>
    withRecord(request, encode, context, async (repositories, record) => {
      if (record) return replayOf(record);
      const outcome = { done: await work(repositories) };
      await repositories.idempotencyKeys.add(settledRecord(request, encode(outcome)));
      return { outcome };
    });

  /**
   * Runs a process in atomic phases: claim the key and store the subject; call, in no transaction; settle the subject and
   * store the response. A retry continues where the request before it stopped. After the deadline no phase is claimed, but
   * a call that was made is always settled.
   * @param context as for `command`
   * @throws as `command` does; ApplicationError 'key-in-progress'; whatever the call throws
   */
  const process = async <S>(
    request: IdempotentRequest,
    phases: NewProcess<S>,
    encode: EncodeResponse<S>,
    context: RequestContext = { actor: request.userId },
  ): Promise<IdempotentResult<S>> => {
    const claim = await withRecord<S, Claim<S>>(request, encode, context, async (repositories, record) => {
      if (record === undefined) return start(repositories, request, phases, encode);
      return hasProcess(record) && record.response === null
        ? takeOver(repositories, record, phases, encode)
        : replayOf(record);
    });
    return 'subject' in claim ? complete(request, claim, phases, encode, context.requestId) : claim;
  };

  /** Whether a process holds the key, so that another request with it would find it in progress. It acquires no lock. */
  const isInProgress = async (
    { userId, key }: Pick<IdempotentRequest, 'userId' | 'key'>,
    context: RequestContext = { actor: userId },
  ): Promise<boolean> => {
    const record = await unitOfWork.read(({ idempotencyKeys }) => idempotencyKeys.find(userId, key), context);
    const leaseUntil = record?.lease?.leaseUntil ?? null;
    return leaseUntil !== null && isHeld(leaseUntil, leaseTimes(clock.now(), leaseMs));
  };

  /**
   * Settles a process that its client has abandoned. It stores no response: a later request with the key derives its
   * response from the settled subject.
   * @throws ApplicationError 'key-in-progress' while another process holds the lease; whatever the call throws
   */
  const recover = async <S>(abandoned: IdempotencyRecord, phases: Phases<S>): Promise<void> => {
    const claim = await unitOfWork.run(async (repositories) => {
      const record = await repositories.idempotencyKeys.lock(abandoned.userId, abandoned.key);
      return record && hasProcess(record) && isUnsettled(record)
        ? takeOver(repositories, record, phases, noResponse)
        : undefined;
    });
    if (claim && 'subject' in claim) await complete(abandoned, claim, phases, noResponse);
  };

  /**
   * Runs work, and stores a replayable rejection under the key in a second unit of work, because the first was rolled back.
   * When the same request was carried out in between, its response is replayed instead.
   */
  const orStoreRejection = async <T, Other = never>(
    request: IdempotentRequest,
    encode: EncodeResponse<T>,
    context: RequestContext,
    work: Work<IdempotentResult<T> | Other>,
  ): Promise<IdempotentResult<T> | Other> => {
    try {
      return await unitOfWork.run(work, context);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const storing: Work<IdempotentResult<T>> = ({ idempotencyKeys }) =>
        storeRejection(idempotencyKeys, request, error, encode);
      return unitOfWork.run(storing, context);
    }
  };

  const storeRejection = async <T>(
    store: IdempotencyStore,
    request: IdempotentRequest,
    rejected: DomainError,
    encode: EncodeResponse<T>,
  ): Promise<IdempotentResult<T>> => {
    const record = await lockRecord(store, request);
    if (record) return replayOf(record);
    if (!isReplayable(rejected)) throw rejected;
    await store.add(settledRecord(request, encode({ rejected })));
    return { outcome: { rejected } };
  };

  const lockRecord = async (
    store: IdempotencyStore,
    request: IdempotentRequest,
  ): Promise<IdempotencyRecord | undefined> => {
    const record = await store.lock(request.userId, request.key);
    if (record === undefined) return undefined;
    if (!isUnsettled(record) && isExpired(record)) {
      await store.remove(record.userId, record.key);
      return undefined;
    }
    requireSameRequest(record, request);
    return record;
  };

  const isExpired = ({ createdAt }: IdempotencyRecord): boolean =>
    clock.now() >= Instant.plus(createdAt, idempotencyKeyLifetimeMs);

  const settledRecord = (request: IdempotentRequest, response: string): IdempotencyRecord =>
    newRecord(request, clock.now(), newId, { response, lease: null });

  return { command, process, isInProgress, recover };
};

const requireSameRequest = (record: IdempotencyRecord, request: IdempotentRequest): void => {
  if (record.fingerprint !== request.fingerprint) {
    throw new KeyReused(
      'The idempotency key was already used for a different request. Use a new key.',
      differingFields(record, request),
    );
  }
  if (!Role.isAtLeast(request.role, record.role)) {
    throw forbidden(
      `The first request with this idempotency key had the role ${record.role}, which is now missing.`,
    );
  }
};

const noResponse = (): null => null;
