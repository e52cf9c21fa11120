import { Instant } from '#domain/instant.ts';
import { Order, type OrderId } from '#domain/order.ts';
import { keyLifetime } from '../idempotency/idempotency.ts';
import type { PageRequest } from '../page.ts';
import type { Clock } from '../ports/clock.ts';
import type { RememberedKey } from '../ports/idempotency.ts';
import type { UnitOfWork } from '../ports/unit-of-work.ts';
import { giveBackAll } from '../use-cases/stock.ts';
import { farthest } from './clock-skew.ts';

/** How each kind of undertaking is taken up, by the name of its process. */
type Recoveries = ReadonlyMap<string, (key: RememberedKey) => Promise<void>>;

interface Dependencies {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly recoveries: Recoveries;
  /** How long whoever works at an undertaking is left alone, in milliseconds. */
  readonly leaseMilliseconds: number;
  /** How long a client may leave something unfinished before it is settled for them, in milliseconds. */
  readonly reconcileAfterMilliseconds: number;
  /** How long an order may wait to be paid, in milliseconds; 0 is for ever. */
  readonly orderLifetimeMilliseconds: number;
}

/** What came of a task. */
export interface Round {
  /** How many were dealt with one by one. What goes as a whole, nobody counts. */
  readonly done: number;
  /** What stood in the way of the others. */
  readonly obstacles: readonly unknown[];
}

/** Something to be done now and then. It ends early when the signal is given, and leaves the rest for the next time. */
type Task = (signal?: AbortSignal) => Promise<Round>;

/** How many are dealt with in one go; the others wait for the next. */
const batch = 100;

/** How many of them at once, so that a provider that takes its time does not keep a hundred waiting in a row. */
const atOnce = 8;

/**
 * What has to be done although nobody asks for it. Each task may be run at any time, as often as one likes, by several
 * processes too; the duty only sees to it that one of them does what is enough for all.
 */
export const housekeeping = ({ unitOfWork, clock, recoveries, ...limits }: Dependencies) => {
  /**
   * Takes the duty of housekeeping, or keeps it.
   * @param holder a name that no other process has
   * @param milliseconds how long nobody else takes it over; 0 gives it back
   * @returns whether it is the holder's
   */
  const takeDuty = (holder: string, milliseconds: number): Promise<boolean> =>
    unitOfWork.run(async ({ duties }) => {
      const now = clock.now();
      const duty = { name: 'housekeeping', holder, until: Instant.plus(now, milliseconds) };
      return duties.take(duty, now, farthest(now, milliseconds));
    });

  /**
   * Settles the payments and refunds whose clients never came back. One that cannot be settled now, because the
   * provider is away or somebody else is at it, waits for the next time and keeps no other waiting.
   */
  const settleUnfinished: Task = async (signal) => {
    for (let settled = 0; ; ) {
      const keys = await leftBehind();
      const { done, obstacles } = await eachByItself(keys, recover, signal);
      settled += done;
      // Where all is well the next ones need not wait; otherwise the same ones might come again.
      if (keys.length < batch || obstacles.length > 0 || signal?.aborted) return { done: settled, obstacles };
    }
  };

  const leftBehind = (): Promise<readonly RememberedKey[]> => {
    const now = clock.now();
    const createdBefore = Instant.plus(now, -limits.reconcileAfterMilliseconds);
    const beyond = farthest(now, limits.leaseMilliseconds);
    return unitOfWork.read(({ idempotencyKeys }) =>
      idempotencyKeys.unsettled(createdBefore, now, batch, beyond),
    );
  };

  const recover = async (key: RememberedKey): Promise<void> => {
    const process = key.undertaking?.process ?? '';
    const recovery = recoveries.get(process);
    if (recovery === undefined) throw new TypeError(`Nobody knows how to take up a ${process}.`);
    await recovery(key);
  };

  /** Forgets the keys that no client can mean any more. */
  const forgetKeys: Task = async (signal) => {
    const createdBefore = Instant.plus(clock.now(), -keyLifetime);
    let isMore = true;
    while (isMore && !signal?.aborted) {
      isMore = await unitOfWork.run(({ idempotencyKeys }) => idempotencyKeys.forget(createdBefore));
    }
    return { done: 0, obstacles: [] };
  };

  /** Cancels the orders that nobody paid in time, and gives back what they took. */
  const expireOrders: Task = async (signal) => {
    if (limits.orderLifetimeMilliseconds === 0) return { done: 0, obstacles: [] };
    const createdBefore = Instant.plus(clock.now(), -limits.orderLifetimeMilliseconds);
    const obstacles: unknown[] = [];
    let done = 0;
    let page: PageRequest<OrderId> | undefined = { limit: batch };
    while (page !== undefined && !signal?.aborted) {
      const { ids, next } = await overdue(createdBefore, page);
      const round = await eachByItself(ids, expire, signal);
      done += round.done;
      obstacles.push(...round.obstacles);
      page = next;
    }
    return { done, obstacles };
  };

  /** Ids are in the order of creation, so the overdue orders come first. Undefined is `next` where no more come behind. */
  const overdue = (createdBefore: Instant, page: PageRequest<OrderId>) =>
    unitOfWork.read(async ({ orders }) => {
      const { rows, hasMore } = await orders.page({ status: 'pending' }, page);
      const late = rows.filter(({ createdAt }) => createdAt <= createdBefore);
      const ids = late.filter(({ paying }) => !paying).map(({ id }) => id);
      const isMore = hasMore && late.length === rows.length;
      return { ids, next: isMore ? { ...page, after: late.at(-1)?.id } : undefined };
    });

  const expire = (id: OrderId): Promise<void> =>
    unitOfWork.run(async ({ orders, orderItems, products }) => {
      const order = await orders.hold(id);
      if (order === undefined || order.status !== 'pending' || order.paying) return;
      const at = clock.now();
      await orders.save(Order.become(order, 'canceled', at));
      await giveBackAll(products, orderItems, id, at);
    });

  return { takeDuty, settleUnfinished, forgetKeys, expireOrders };
};

/** One that fails keeps none of the others waiting. */
const eachByItself = async <T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<Round> => {
  const obstacles: unknown[] = [];
  let done = 0;
  const waiting = items.values();
  const work = async (): Promise<void> => {
    for (const item of waiting) {
      if (signal?.aborted) break;
      try {
        await act(item);
        done += 1;
      } catch (error) {
        obstacles.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  return { done, obstacles };
};

export type Housekeeping = ReturnType<typeof housekeeping>;
