import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import type { UserId } from '#domain/user.ts';
import { personal, type Shop } from '../shop.ts';

const all = { limit: 1_000 };

export const isErasedIn = async (store: UnitOfWork, id: UserId): Promise<boolean> =>
  (await store.read(({ users }) => users.find(id)))?.status === 'erased';

/** What a completed erasure has left of Ada; nothing while she is not erased. */
export const judgeErasure = ({ store, ada: { userId } }: Shop): Promise<readonly string[]> =>
  store.read(async ({ users, erasures, orders, refunds, idempotencyKeys, events }) => {
    const user = await users.find(userId);
    const [erasure, ...more] = (await erasures.page({ userId }, all)).rows;
    if (more.length > 0) return ['Ada was erased twice.'];
    if ((user?.status === 'erased') !== (erasure !== undefined)) return [`Ada is ${user?.status}.`];
    if (erasure === undefined) return [];
    const rows = [
      ...(await orders.page({ userId }, all)).rows,
      ...(await refunds.page({ userId }, all)).rows,
    ];
    const own = (await idempotencyKeys.findMentioning(userId, 1_000)).filter((one) => one.userId === userId);
    return [
      ...rows
        .filter((row) => JSON.stringify(row).includes(personal))
        .map(({ id }) => `${id} has a text of Ada.`),
      ...(await events.page({}, { after: 0, limit: 100_000 })).rows
        .filter((event) => JSON.stringify(event).includes(personal))
        .map(({ sequence }) => `The event ${sequence} has a text of Ada.`),
      ...own.map(({ key }) => `The response to ${key} is kept.`),
    ];
  });
