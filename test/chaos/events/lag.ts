import { setTimeout as pause } from 'node:timers/promises';
import type { ObservedDatabase } from '../../lab/databases.ts';
import { lagLimitMs } from '../../lab/judge/events/takeovers.ts';
import type { Subscriber } from './subscribers.ts';

const intervalMs = 500;

/** The end of the feed, and what each endpoint has not got of it. */
interface Sample {
  readonly end: number;
  /** By id: the first sequence that was not delivered; beyond the end when there is none. */
  readonly undelivered: ReadonlyMap<string, number>;
}

const sample = async ({ query }: Pick<ObservedDatabase, 'query'>): Promise<Sample> => {
  const [feed] = await query('select coalesce(max(sequence), 0) as last from events');
  const rows = await query(`
    select id, position, (
      select min(sequence) from webhook_deliveries
      where endpoint_id = webhook_progress.id and status = 'pending'
    ) as pending from webhook_progress
  `);
  return {
    end: Number(feed?.['last']),
    undelivered: new Map(
      rows.map(({ id, position, pending }) => [
        String(id),
        pending === null ? Number(position) + 1 : Math.min(Number(pending), Number(position) + 1),
      ]),
    ),
  };
};

/**
 * Measures how long endpoints lag: until everything was delivered that the feed had when it began, or in the look before.
 * @returns by id, in milliseconds from `since`; undefined for one that has lagged until the limit
 */
export const measureLag = async (
  database: Pick<ObservedDatabase, 'query'>,
  subscribers: readonly Pick<Subscriber, 'id'>[],
  since: number,
): Promise<ReadonlyMap<string, number | undefined>> => {
  const lags = new Map<string, number | undefined>(subscribers.map(({ id }) => [id, undefined]));
  let end = (await sample(database)).end;
  while (Date.now() - since < lagLimitMs && [...lags.values()].includes(undefined)) {
    await pause(intervalMs);
    const now = await sample(database);
    for (const [id, lag] of lags)
      if (lag === undefined && (now.undelivered.get(id) ?? 0) > end) lags.set(id, Date.now() - since);
    end = now.end;
  }
  return lags;
};
