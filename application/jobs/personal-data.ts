import { Erasure } from '#domain/erasure.ts';
import { Instant } from '#domain/instant.ts';
import type { OrderId } from '#domain/order.ts';
import type { Id, Resource } from '#domain/resource.ts';
import type { UserId } from '#domain/user.ts';
import { removeIdentities, removeKeys } from '../accounts/credentials.ts';
import { eraseEvents } from '../events/erase-events.ts';
import { idempotencyKeyLifetimeMs } from '../idempotency/idempotency.ts';
import { isUnsettled, withoutTexts } from '../idempotency/idempotency-record.ts';
import { readAll } from '../pages.ts';
import type { NumberEvents } from '../ports/events.ts';
import type { Repositories, Repository } from '../ports/repositories.ts';
import type { Clock } from '../ports/system.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  /** The sequencer of the store, where it has one. */
  readonly numberEvents?: NumberEvents | undefined;
  readonly clock: Clock;
  /** Whether the requests of the user are over. */
  readonly isLast: boolean;
  /** Cancels an order and releases its stock, unless a payment is pending. */
  readonly cancel: (id: OrderId) => Promise<void>;
}

/** How many rows one unit of work reads, and changes where it must. */
const batchSize = 100;

/** How many orders are canceled together. Each locks the products that it releases in a unit of work of its own. */
const cancelBatchSize = 8;

type Batches<T = void> = AsyncGenerator<void, T, undefined>;

/**
 * Erases the personal data in the rows of a user, a batch in each unit of work. It changes only what remains.
 * @returns whether all is erased; not while a payment keeps an order pending
 */
export async function* erasePersonalData(
  { unitOfWork, numberEvents, clock, isLast, cancel }: Dependencies,
  { id: erasureId, userId }: Pick<Erasure, 'id' | 'userId'>,
): Batches<boolean> {
  /** Erases the rows of one collection. */
  async function* eraseRows<T extends Resource>(
    of: (repositories: Repositories) => Repository<T, { readonly userId?: UserId }>,
    erased: (row: T, at: Instant) => T,
  ): Batches {
    const isLeft = (row: T): boolean => Erasure.hasChanged(row, erased(row, row.updatedAt));
    for (let after: T['id'] | undefined, hasMore = true; hasMore; ) {
      const page = await unitOfWork.run((repositories) =>
        of(repositories).page({ userId }, { after, limit: batchSize }),
      );
      const left = page.rows.filter(isLeft);
      if (left.length > 0) {
        await unitOfWork.run(async (repositories) => {
          const locked = await Promise.all(left.map(({ id }) => of(repositories).lock(id)));
          const rows = locked.filter((row): row is Awaited<T> => row !== undefined).filter(isLeft);
          await of(repositories).saveAll(rows.map((row) => erased(row, clock.now())));
        });
      }
      yield;
      ({ hasMore } = page);
      after = page.rows.at(-1)?.id;
    }
  }

  async function* eraseCredentials(): Batches {
    await unitOfWork.run((repositories) => removeKeys(repositories, userId));
    yield;
    // Until then the links reject tokens of the user, which would create another customer (just-in-time provisioning).
    if (isLast) await unitOfWork.run((repositories) => removeIdentities(repositories, userId));
    yield;
  }

  /** @returns whether none remains */
  async function* cancelOrders(): Batches<boolean> {
    let isDone = true;
    for (let after: OrderId | undefined, hasMore = true; hasMore; ) {
      const page = await unitOfWork.read(({ orders }) =>
        orders.page({ userId, status: 'pending' }, { after, limit: cancelBatchSize }),
      );
      if (page.rows.some(({ paying }) => paying)) isDone = false;
      await Promise.all(page.rows.filter(({ paying }) => !paying).map(({ id }) => cancel(id)));
      yield;
      ({ hasMore } = page);
      after = page.rows.at(-1)?.id;
    }
    return isDone;
  }

  /**
   * Removes the user's own records, and empties those of others that contain one of the ids: a client may have named the user in the id
   * of a request. The response to the erasure itself has no personal data.
   */
  async function* eraseResponses(ids: readonly Id[]): Batches {
    for (let hasMore = true; hasMore; ) {
      const found = await unitOfWork.read(({ idempotencyKeys }) =>
        idempotencyKeys.findMentioning(ids, batchSize),
      );
      await unitOfWork.run(async ({ idempotencyKeys }) => {
        for (const { userId: owner, key } of found) {
          const record = await idempotencyKeys.lock(owner, key);
          if (record === undefined || isUnsettled(record)) continue;
          const isOfErasure = record.response?.includes(erasureId) === true;
          if (owner === userId && !isOfErasure) await idempotencyKeys.remove(owner, key);
          else {
            const erased = withoutTexts(record, isOfErasure ? record.response : null, clock.now());
            // Another process may have emptied it since: two work on an erasure while the leadership changes hands.
            if (erased !== undefined) await idempotencyKeys.save(erased);
          }
        }
      });
      yield;
      hasMore = found.length === batchSize;
    }
  }

  /**
   * What the responses to erase name. One about a refund, a capture or an item does not name the user: it is found by the refund, the
   * payment or the order. Only those that changed lately have a record, or had just now.
   */
  const idsInResponses = async (): Promise<readonly Id[]> => {
    const oldest = Instant.plus(clock.now(), -3 * idempotencyKeyLifetimeMs);
    const ids: Id[] = [userId];
    await unitOfWork.read(async ({ refunds, payments, orders }) => {
      for (const collection of [refunds, payments, orders])
        for await (const { id, updatedAt } of readAll<Resource, { userId?: UserId }>(collection, { userId }))
          if (updatedAt >= oldest) ids.push(id);
    });
    return ids;
  };

  yield* eraseCredentials();
  const isDone = yield* cancelOrders();
  yield* eraseRows(({ refunds }) => refunds, Erasure.ofRefund);
  yield* eraseRows(({ payments }) => payments, Erasure.ofPayment);
  yield* eraseRows(({ reviews }) => reviews, Erasure.ofReview);
  yield* eraseRows(({ orders }) => orders, Erasure.ofOrder);
  // Behind the rows: a request of staff can store a response with their texts until then.
  yield* eraseResponses(await idsInResponses());
  // Events that were committed before the rows were erased may still have their data, and is visible once it is numbered.
  while ((await numberEvents?.())?.hasMore) yield;
  yield* eraseEvents(unitOfWork, userId);
  return isDone;
}
