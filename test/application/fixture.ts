import { createApplication, type Durations } from '#application/application.ts';
import type { Idempotency } from '#application/idempotency/idempotency.ts';
import type { IdempotentResult } from '#application/idempotency/idempotency-record.ts';
import type { PaymentProvider } from '#application/ports/payment-provider.ts';
import type { Collections, Reader } from '#application/ports/repositories.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import type { Caller } from '#application/preconditions.ts';
import type { Command, Outcome, Process } from '#application/use-case.ts';
import { asDeclared, requireDeclared } from '#bootstrap/testing/declared.ts';
import { testShop } from '#bootstrap/testing/test-shop.ts';
import { Instant } from '#domain/instant.ts';
import type { Money } from '#domain/money.ts';
import type { Id } from '#domain/resource.ts';
import { scriptedProvider } from './provider.ts';

export const noon = Instant.at(Date.UTC(2026, 2, 1, 12));
export const minute = 60_000;
export const hour = 60 * minute;
export const times: Durations = { lease: 30_000, reconcileAfter: minute, orderLifetime: 24 * hour };

export const euros = (amount: number): Money => ({ amount, currency: 'EUR' });
export const page = { limit: 10 };

/** The id of nothing. */
export const nowhere = <I extends Id>(): I => '01900000-0000-7000-8000-ffffffffffff' as I;

/**
 * The application in memory: the test controls the time and the provider.
 * @param around wraps the provider
 */
export const aFixture = async (
  changed: Partial<Durations> = {},
  around: (provider: PaymentProvider) => PaymentProvider = (provider) => provider,
) => {
  const provider = scriptedProvider();
  const shop = await testShop({ provider: around(provider.port), durations: { ...times, ...changed } });
  const { useCases, idempotency, backgroundJobs, unitOfWork, ports, newId, run } = shop;
  const { customer: ada, staff, admin, newCaller: person, newProduct, placeOrder } = shop;
  const bob = await person('customer');
  const clock = { now: shop.now, pass: shop.advance };

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
    const another: StoreUnitOfWork = {
      run: async (work) => {
        await before();
        const result = await ports.unitOfWork.run(work);
        await after();
        return result;
      },
      read: async (reading) => {
        const found = await ports.unitOfWork.read(reading);
        await afterReading();
        return found;
      },
    };
    const there = createApplication({ ...ports, unitOfWork: another }, { ...times, ...changed });
    return { send: sender(there.idempotency), backgroundJobs: there.backgroundJobs };
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
    ...{ newProduct, placeOrder },
    ...{
      ada,
      bob,
      staff,
      admin,
      person,
      run,
      // These say which kind of use case a test runs.
      read: run,
      sendOnce: run,
      send,
      elsewhere,
      attemptOf,
      write,
      find,
      current,
    },
  };
};

type Interference = { readonly [When in 'before' | 'after' | 'afterReading']?: () => unknown };

const nothing = (): void => undefined;
