import type { Event } from '#domain/event.ts';
import type { Resource } from '#domain/resource.ts';
import type { LastEvent } from '../../lab/judge/events/evidence.ts';
import { judgeLastEvents } from '../../lab/judge/events/resources.ts';
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
    const found = [...violations, ...judgeLastEvents({ lastEvents: lastEventsOf(rows, tables) })];
    return found.map(({ kind, detail }) => `${violationKinds[kind]}: ${detail}`);
  });

/** The last event of each order, payment and refund. Those of orders tell of items, too, which are rows of their own. */
const lastEventsOf = (
  events: readonly Event[],
  { orders, payments, refunds }: Shop['tables'],
): readonly LastEvent[] =>
  [...allIn(orders), ...allIn(payments), ...allIn(refunds)].flatMap((resource: Resource) => {
    const last = events.findLast(({ subject }) => subject.id === resource.id);
    if (last === undefined) return [];
    const { items: _, ...data } = last.data as Resource & { readonly items?: unknown };
    return [{ event: { ...last, data }, resource }];
  });
