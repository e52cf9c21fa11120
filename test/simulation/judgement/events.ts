import type { ReadRepositories } from '#application/ports/repositories.ts';
import type { Event } from '#domain/event.ts';
import type { Resource } from '#domain/resource.ts';
import type { Shop } from '../shop.ts';

/** The feed as a whole: its sequences, the order of each subject, and whether what it tells last is what there is. */
export const judgeEvents = ({ store }: Shop): Promise<readonly string[]> =>
  store.read(async (from) => {
    const { rows } = await from.events.page({}, { after: 0, limit: 100_000 });
    return [...judgeOrder(rows), ...(await judgeLast(rows, from))];
  });

const judgeOrder = (events: readonly Event[]): readonly string[] => {
  const versions = new Map<Resource['id'], number>();
  return events.flatMap(({ id, sequence, subject }, index) => {
    const before = versions.get(subject.id) ?? 0;
    versions.set(subject.id, subject.version);
    const last = events[index - 1];
    return [
      ...(sequence === index + 1 ? [] : [`The event ${index + 1} has the sequence ${sequence}.`]),
      ...(last === undefined || last.id < id
        ? []
        : [`The event ${sequence} has no greater id than the one before.`]),
      ...(subject.version > before
        ? []
        : [`${subject.id} is told at version ${subject.version} after ${before}.`]),
    ];
  });
};

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
