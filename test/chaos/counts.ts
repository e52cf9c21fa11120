import type { RequestCounts } from '../lab/clients/retried-request.ts';
import { readFeed } from '../lab/judge/feed.ts';
import type { Person } from './erasing/person.ts';
import type { Stage } from './stage.ts';

/** The counts of one run. */
export interface Counts extends RequestCounts {
  kills: number;
  /** The kills of a server that had requests in flight. */
  midway: number;
  restarts: number;
  /** Connections of servers to their database that were terminated. */
  cutConnections: number;
  killedNodes: number;
  frozenNodes: number;
  /** How often all nodes of a database were killed at once. */
  killedClusters: number;
  charges: number;
  refunds: number;
  captures: number;
  /** What merchants have captured and canceled in the dashboard. */
  dashboardCaptures: number;
  dashboardCancellations: number;
  disputes: number;
  /** The payments that were given up, and those that were charged or had failed before. */
  cancellations: number;
  lostCancellations: number;
  /** The events whose content was invented, and those that were signed by a forger. */
  inventedEvents: number;
  forgedEvents: number;
  /** The events that tell of changes here. */
  events: number;
  /** The events whose sequence was given by another process than the one that wrote them. */
  takenOverNumbers: number;
  /** How often the numbering of events was held up. */
  heldNumberings: number;
  readerKills: number;
  receiverKills: number;
  /** The webhooks that receivers got. */
  webhooks: number;
  /** The kills of a process that delivered webhooks, and after how many milliseconds another one did, at most. */
  takeovers: number;
  slowestTakeoverMs: number;
  /** After how many milliseconds endpoints had got everything, at most. */
  longestLagMs: number;
  /** The customers whose erasure a client was told of. */
  erasures: number;
}

export const noCounts = (): Counts => ({
  kills: 0,
  midway: 0,
  restarts: 0,
  cutConnections: 0,
  killedNodes: 0,
  frozenNodes: 0,
  killedClusters: 0,
  requests: 0,
  retries: 0,
  lost: 0,
  replays: 0,
  charges: 0,
  refunds: 0,
  captures: 0,
  dashboardCaptures: 0,
  dashboardCancellations: 0,
  disputes: 0,
  events: 0,
  takenOverNumbers: 0,
  heldNumberings: 0,
  readerKills: 0,
  receiverKills: 0,
  webhooks: 0,
  takeovers: 0,
  slowestTakeoverMs: 0,
  longestLagMs: 0,
  cancellations: 0,
  lostCancellations: 0,
  inventedEvents: 0,
  forgedEvents: 0,
  erasures: 0,
});

/** Adds what has happened at the provider, in the feed, and to people who are erased. */
export const countOutcomes = async (
  counts: Counts,
  { stage: { provider, database }, people }: { readonly stage: Stage; readonly people: readonly Person[] },
): Promise<void> => {
  counts.erasures += people.filter(({ late }) => late !== undefined).length;
  counts.events += (await readFeed(database)).events.length;
  const { charges, refunds, disputes, ...dashboard } = await provider.ledger();
  counts.charges += charges.length;
  counts.refunds += refunds.length;
  counts.captures += charges.filter(({ capture_id: id }) => id !== null).length;
  counts.dashboardCaptures += dashboard.capturedInDashboard.length;
  counts.dashboardCancellations += dashboard.canceled.filter((each) => each.in_dashboard).length;
  counts.disputes += disputes.length;
};
