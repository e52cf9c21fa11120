import type { Instant } from '#domain/instant.ts';

export interface Clock {
  /** The time that decides what has expired. */
  now(): Instant;
}
