import { MemoryUnitOfWork } from '#adapters/persistence/memory/unit-of-work.ts';
import { createApplication, type Durations } from '#application/application.ts';
import type { Idempotency } from '#application/idempotency/idempotency.ts';
import type { IdempotentResult, Outcome } from '#application/idempotency/idempotency-record.ts';
import type { Collections, Reader } from '#application/ports/repositories.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import type { Command, Process, Query } from '#application/use-case.ts';
import { Role, type Scope } from '#domain/access.ts';
import { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import type { Id } from '#domain/resource.ts';
import { User } from '#domain/user.ts';
import { asDeclared, requireDeclared } from './declared.ts';
import { scriptedProvider } from './provider.ts';

export const noon = Instant.at(Date.UTC(2026, 2, 1, 12));
export const minute = 60_000;
export const hour = 60 * minute;
export const times: Durations = { lease: 30_000, reconcileAfter: minute, orderLifetime: 24 * hour };

export const euros = (amount: number): Money => ({ amount, currency: 'EUR' });
export const page = { limit: 10 };

/** The id of nothing. */
export const nowhere = <I extends Id>(): I => '01900000-0000-7000-8000-ffffffffffff' as I;

/** Ids that look like any other, and ascend by one. */
const countingIds = () => {
  let count = 0;
  return <I extends Id>(): I => {
    count += 1;
    return `01900000-0000-7000-8000-${count.toString(16).padStart(12, '0')}` as I;
  };
};

/** The application in memory: the test controls the time and the provider. */
export const aStage = async (changed: Partial<Durations> = {}) => {
  const unitOfWork = new MemoryUnitOfWork();
  const provider = scriptedProvider();
  const newId = countingIds();
  let now = noon;
  const clock = {
    now: () => now,
    pass: (milliseconds: number): void => {
      now = Instant.plus(now, milliseconds);
    },
  };
  const mintToken = (id: Id) => ({ token: `token of ${id}`, secretHash: `hash of ${id}` });
  const ports = { unitOfWork, clock, newId, mintToken, provider: provider.port };
  const { useCases, idempotency, backgroundJobs } = createApplication(ports, { ...times, ...changed });

  /** A user with a key for all scopes of their role, or for these scopes only. */
  const person = async (role: Role, scopes: readonly Scope[] = Role.scopes(role)): Promise<Caller> => {
    const id = newId<User['id']>();
    const user = User.create(id, { email: `${id}@example.com`, name: 'A user', role }, now);
    await unitOfWork.run(({ users }) => users.add(user));
    return { userId: id, role, scopes, keyId: newId() };
  };
  const [ada, bob] = [await person('customer'), await person('customer')];
  const [staff, admin] = [await person('staff'), await person('admin')];

  const read = async <I, R>(useCase: Query<I, R>, caller: Caller, input: NoInfer<I>): Promise<R> =>
    asDeclared(useCase, async () => unitOfWork.read(useCase(caller, input)));

  const run = async <I, R>(useCase: Command<I, R>, caller: Caller, input: NoInfer<I>): Promise<R> =>
    asDeclared(useCase, async () => unitOfWork.run(useCase(caller, input)));

  /** A stored response that is enough to distinguish outcomes. */
  const write = (outcome: Outcome<unknown>): string =>
    'done' in outcome ? JSON.stringify(outcome.done) : outcome.rejected.kind;

  const attemptOf = (caller: Caller, input: unknown, key: string) => ({
    userId: caller.userId,
    role: caller.role,
    key,
    fingerprint: JSON.stringify(input),
  });

  const sender =
    (carriedOutBy: Idempotency) =>
    async <I, R>(
      useCase: Command<I, R> | Process<I, R>,
      caller: Caller,
      input: NoInfer<I>,
      key: string,
    ): Promise<IdempotentResult<R>> => {
      const attempt = attemptOf(caller, input, key);
      const attempted = await asDeclared(useCase, async () =>
        useCase.kind === 'command'
          ? carriedOutBy.command(attempt, useCase(caller, input), write)
          : carriedOutBy.process(attempt, useCase(caller, input), write),
      );
      if ('outcome' in attempted && 'rejected' in attempted.outcome)
        requireDeclared(useCase, attempted.outcome.rejected);
      return attempted;
    };

  /** Sends a command or a process under an idempotency key. */
  const send = sender(idempotency);

  /** The same application in another process, where something comes before or after each unit of work or reading. */
  const elsewhere = ({ before = nothing, after = nothing, afterReading = nothing }: Interference) => {
    const another: UnitOfWork = {
      run: async (work) => {
        await before();
        const result = await unitOfWork.run(work);
        await after();
        return result;
      },
      read: async (reading) => {
        const found = await unitOfWork.read(reading);
        await afterReading();
        return found;
      },
    };
    const there = createApplication({ ...ports, unitOfWork: another }, { ...times, ...changed });
    return { send: sender(there.idempotency), backgroundJobs: there.backgroundJobs };
  };

  /** Sends a request with a new idempotency key. @throws the error that rejected it */
  const sendOnce = async <I, R>(useCase: Process<I, R>, caller: Caller, input: NoInfer<I>): Promise<R> => {
    const attempted = await send(useCase, caller, input, `once ${newId()}`);
    if ('replayed' in attempted) throw new Error('A new key has no stored response.');
    if ('rejected' in attempted.outcome) throw attempted.outcome.rejected;
    return attempted.outcome.done;
  };

  const find = <C extends keyof Collections>(
    collection: C,
    { id }: Pick<Collections[C]['resource'], 'id'>,
  ): Promise<Collections[C]['resource'] | undefined> =>
    unitOfWork.read(async (repositories) => {
      const reader: Pick<Reader<Collections[C]['resource'], never>, 'find'> = repositories[collection];
      return reader.find(id);
    });

  /** The current state of a resource. */
  const current = async <C extends keyof Collections>(
    collection: C,
    resource: Pick<Collections[C]['resource'], 'id'>,
  ): Promise<Collections[C]['resource']> => {
    const found = await find(collection, resource);
    if (found === undefined) throw new Error(`It is no longer among the ${collection}.`);
    return found;
  };

  return {
    ...{ useCases, idempotency, backgroundJobs, unitOfWork, provider, clock, newId },
    ...{
      ada,
      bob,
      staff,
      admin,
      person,
      read,
      run,
      send,
      elsewhere,
      sendOnce,
      attemptOf,
      write,
      find,
      current,
    },
  };
};

type Interference = { readonly [When in 'before' | 'after' | 'afterReading']?: () => unknown };

const nothing = (): void => undefined;
