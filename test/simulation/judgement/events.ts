import type { ReadRepositories } from '#application/ports/repositories.ts';
import type { Event } from '#domain/event.ts';
import type { Resource } from '#domain/resource.ts';
import { judgeFeed } from '../../lab/judge/feed.ts';
import { violationKinds } from '../../lab/violations.ts';
import type { Shop } from '../shop.ts';
import { allIn } from './evidence.ts';

/** The feed as a whole, by the laboratory's judge, and whether what it tells last is what there is. */
export const judgeEvents = ({ store, tables, orders: firstOrders }: Shop): Promise<readonly string[]> =>
  store.read(async (from) => {
    const { rows } = await from.events.page({}, { after: 0, limit: 100_000 });
    const violations = judgeFeed({
      events: rows.map(({ sequence, id, type, subject, data }) => ({
        ...{ sequence, id, type, subjectId: subject.id, version: subject.version },
        status: (data as { readonly status?: string }).status ?? null,
      })),
      queued: 0,
      older: [...firstOrders, ...allIn(tables.users)].map(({ id }) => id),
      orders: allIn(tables.orders),
      payments: allIn(tables.payments),
      refunds: allIn(tables.refunds),
    });
    return [
      ...violations.map(({ kind, detail }) => `${violationKinds[kind]}: ${detail}`),
      ...(await judgeLast(rows, from)),
    ];
  });

/** Compares the last event of each order, payment and refund with its row, unless a later version has no event. */
const judgeLast = async (
  events: readonly Event[],
  { orders, payments, refunds }: ReadRepositories,
): Promise<readonly string[]> => {
  const all = { limit: 1_000 };
  const rows: readonly Resource[] = [
    ...(await orders.page({}, all)).rows,
    ...(await payments.page({}, all)).rows,
    ...(await refunds.page({}, all)).rows,
  ];
  return rows.flatMap((row) => {
    const last = events.findLast(({ subject }) => subject.id === row.id);
    if (last === undefined || last.subject.version < row.version) return [];
    const { items: _, ...data } = last.data as Resource & { readonly items?: unknown };
    return JSON.stringify(data) === JSON.stringify(row)
      ? []
      : [`${row.id} is not what its last event tells.`];
  });
};
