import type { Instant } from '#domain/instant.ts';

export interface Clock {
  /** The time that decides what has expired. It may differ a little between processes, never within a store. */
  now(): Instant;
}
