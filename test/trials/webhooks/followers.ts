import type { ObservedDatabase } from '../../lab/databases.ts';
import { judgeEndpoints } from '../../lab/judge/events/all.ts';
import type { EndpointEvidence } from '../../lab/judge/events/evidence.ts';
import { readEndpoints } from '../../lab/judge/events/read-endpoints.ts';
import { judgeFeed, readFeed } from '../../lab/judge/feed.ts';
import type { Violation } from '../../lab/violations.ts';
import { until } from '../../support/until.ts';
import { maxJudged } from './receiver.ts';

/** A receiver, and the id of its endpoint. */
interface Follower extends Pick<EndpointEvidence, 'works' | 'receipts'> {
  readonly id: string;
}

/** Compares the feed with its resources, and each delivery with the feed, unless there are too many. */
export const judgeFollowers = async (
  database: ObservedDatabase,
  count: number,
  followers: readonly Follower[],
): Promise<readonly Violation[]> => {
  if (count > maxJudged) return [];
  const feed = await readFeed(database);
  const types = [...new Set(feed.events.map(({ type }) => type))].filter((type) => type.startsWith('order.'));
  const read = async (): Promise<readonly EndpointEvidence[]> => {
    const stored = await readEndpoints(database);
    return followers.map(({ id, works, receipts }, place) => ({
      ...{ name: `endpoint ${place + 1}`, ordering: 'parallel', types, works, receipts, ...stored(id) },
      // The findings say how late they are.
      ...{ begin: 0, lagMs: 0 },
    }));
  };
  const isSettled = ({ works, deliveries }: EndpointEvidence): boolean =>
    !works || deliveries.every(({ status }) => status !== 'pending');
  // A delivery is recorded behind the response of its receiver.
  const endpoints = await until(read, (all) => all.every(isSettled)).catch(read);
  return [...judgeFeed(feed), ...judgeEndpoints({ events: feed.events, endpoints })];
};
