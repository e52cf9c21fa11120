import type { ObservedDatabase } from '../databases.ts';
import { type Violation, violation } from '../violations.ts';
import { isWhollyTold } from './told-versions.ts';

interface FeedEvent {
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  readonly subjectId: string;
  readonly version: number;
  /** The status in its data. */
  readonly status: string | null;
}

interface Versioned {
  readonly id: string;
  readonly version: number;
  readonly status: string;
}

/** The feed, and what it tells of. */
export interface Feed {
  /** In ascending order of sequence. */
  readonly events: readonly FeedEvent[];
  /** How many events have no sequence although nothing is under way. */
  readonly queued: number;
  /** The ids of what was there before the feed: its first version has no event. */
  readonly older?: readonly string[];
  readonly orders: readonly Versioned[];
  readonly payments: readonly (Versioned & { readonly orderId: string })[];
  readonly refunds: readonly Versioned[];
}

/** Reads the feed from the database, past the API. */
export const readFeed = async ({ url, query }: Pick<ObservedDatabase, 'url' | 'query'>): Promise<Feed> => {
  const versioned = async (table: string, more = '') =>
    (await query(`select id, version, status${more} from ${table}`)).map((row) => ({
      ...{ id: String(row['id']), version: Number(row['version']), status: String(row['status']) },
      orderId: String(row['order_id']),
    }));
  const rows = await query(
    'select sequence, id, type, subject_id, subject_version, data from events order by sequence',
  );
  // SQLite gives sequences in the writing transaction, and has no queue.
  const queue = url.startsWith('sqlite:') ? [] : await query('select place from event_queue');
  return {
    events: rows.map((row) => ({
      ...{ sequence: Number(row['sequence']), id: String(row['id']), type: String(row['type']) },
      ...{ subjectId: String(row['subject_id']), version: Number(row['subject_version']) },
      status: JSON.parse(String(row['data'])).status ?? null,
    })),
    queued: queue.length,
    orders: await versioned('orders'),
    payments: await versioned('payments', ', order_id'),
    refunds: await versioned('refunds'),
  };
};

const found = (detail: string): Violation => violation('events', detail);

/** Sequences are 1 to N, and each version of an order, payment and refund that has an event has one. */
export const judgeFeed = (feed: Feed): Violation[] => [
  ...(feed.queued === 0 ? [] : [found(`${feed.queued} events have no sequence`)]),
  ...judgeOrder(feed),
  ...judgeVersions(feed),
];

const judgeOrder = ({ events, older = [] }: Feed): Violation[] => {
  const versions = new Map([...older].map((id) => [id, 1]));
  return events.flatMap(({ sequence, id, type, subjectId, version }, index) => {
    const before = versions.get(subjectId) ?? 0;
    versions.set(subjectId, version);
    const last = events[index - 1];
    return [
      ...(sequence === index + 1 ? [] : [found(`event ${index + 1} has the sequence ${sequence}`)]),
      ...(last === undefined || last.id < id
        ? []
        : [found(`event ${sequence} has no greater id than before`)]),
      ...(version === before + 1 || (version > before && !isWhollyTold(type.split('.')[0] ?? ''))
        ? []
        : [found(`${type} of ${subjectId}: version ${version} after ${before}`)]),
    ];
  });
};

const judgeVersions = ({ events, orders, payments, refunds, older = [] }: Feed): Violation[] => {
  const bySubject = Map.groupBy(events, ({ subjectId }) => subjectId);
  const paymentsOf = Map.groupBy(payments, ({ orderId }) => orderId);
  /** @param untold how many versions may have no event */
  const judge = (name: string, { id, version, status }: Versioned, untold: number): Violation[] => {
    const told = bySubject.get(id) ?? [];
    const last = told.at(-1);
    const missing = version - told.length;
    return [
      ...(missing >= 0 && missing <= untold
        ? []
        : [found(`${name} ${id} has ${version} versions and ${told.length} events`)]),
      ...(last?.version !== version || last.status === status
        ? []
        : [found(`${name} ${id} is ${status}, and its last event tells ${last.status}`)]),
    ];
  };
  return [
    // A payment that begins is not told, neither of the payment nor of its order.
    ...orders.flatMap((order) =>
      judge('order', order, (paymentsOf.get(order.id)?.length ?? 0) + (older.includes(order.id) ? 1 : 0)),
    ),
    ...payments.flatMap((payment) => judge('payment', payment, 1)),
    ...refunds.flatMap((refund) => judge('refund', refund, 0)),
  ];
};
