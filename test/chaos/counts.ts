import { readFeed } from '../lab/judge/feed.ts';
import type { Person } from './erasing/person.ts';
import type { Fixture } from './fixture.ts';

/** What is counted in a run, and its label in the table. */
export const countLabels = {
  kills: 'kills',
  midway: '  of them with requests in flight',
  restarts: 'restarts',
  cutConnections: 'connections to the database cut',
  killedNodes: 'nodes of the database killed',
  frozenNodes: 'nodes of the database frozen',
  killedClusters: 'all nodes killed at once',
  requests: 'requests',
  retries: '  of them retries',
  lost: '  of them without a response',
  replays: 'replays compared',
  charges: 'charges',
  refunds: 'refunds',
  captures: 'captures',
  dashboardCaptures: 'captures in the dashboard',
  dashboardCancellations: 'cancellations in the dashboard',
  disputes: 'disputes',
  cancellations: 'payments canceled',
  lostCancellations: 'cancellations that came too late',
  inventedEvents: "provider's events invented",
  forgedEvents: '  of them signed by a forger',
  events: 'events in the feed',
  takenOverNumbers: '  of them numbered by another process',
  heldNumberings: 'times that numbering was held up',
  readerKills: 'kills of the reader of the feed',
  receiverKills: 'kills of a receiver of webhooks',
  webhooks: 'webhooks received',
  takeovers: 'kills of the server that delivers',
  slowestTakeoverMs: '  slowest takeover in ms',
  longestLagMs: 'longest lag after the last kill in ms',
  erasures: 'customers erased',
} as const;

/** The counts of one run. */
export type Counts = Record<keyof typeof countLabels, number>;

export const noCounts = (): Counts =>
  Object.fromEntries(Object.keys(countLabels).map((name) => [name, 0])) as Counts;

/** Adds what has happened at the provider, in the feed, and to people who are erased. */
export const countOutcomes = async (
  counts: Counts,
  {
    fixture: { provider, database },
    people,
  }: { readonly fixture: Fixture; readonly people: readonly Person[] },
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
