import type { Instant } from '#domain/instant.ts';
import type { Resource } from '#domain/resource.ts';

/** The field of each collection that resources from before it do not have, although what it records has happened to them. */
export const timeFields = {
  orders: 'paidAt',
  payments: 'succeededAt',
  captures: 'succeededAt',
  refunds: 'succeededAt',
  disputes: 'closedAt',
} as const;

export type TimedCollection = keyof typeof timeFields;

export interface MissingTime {
  readonly id: Resource['id'];
  readonly at: Instant;
}

/** Times that resources of earlier releases do not have. */
export interface MissingTimes {
  /**
   * Fills the field of `timeFields` in where it is null, and changes nothing else of these resources: their version stays as it is.
   * It passes over what has a time, and what does not exist.
   */
  fill(collection: TimedCollection, times: readonly MissingTime[]): Promise<void>;
}
