/** The counts of one run. */
export interface Counts {
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
  requests: number;
  retries: number;
  /** Requests whose connection ended before the response. */
  lost: number;
  replays: number;
  charges: number;
  refunds: number;
  captures: number;
  disputes: number;
  /** The payments that were given up, and those that were charged or had failed before. */
  cancellations: number;
  lostCancellations: number;
  /** The events whose content was invented, and those that were signed by a forger. */
  inventedEvents: number;
  forgedEvents: number;
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
  disputes: 0,
  cancellations: 0,
  lostCancellations: 0,
  inventedEvents: 0,
  forgedEvents: 0,
  erasures: 0,
});
