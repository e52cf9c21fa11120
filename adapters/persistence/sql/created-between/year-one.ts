import { Instant } from '#domain/instant.ts';

const earliest = Instant.at(Date.parse('0001-01-01T00:00:00Z'));

/** The same instant, or the beginning of the year 1: PostgreSQL rejects the year 0, in which no resource was created. */
export const sinceYearOne = (instant: Instant): Instant => (instant < earliest ? earliest : instant);
