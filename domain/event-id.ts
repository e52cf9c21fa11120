import type { Id } from './resource.ts';

export type EventId = Id<'event'>;

/**
 * Ids of events: UUIDv7 (RFC 9562 section 5.7) whose last 40 bits are the sequence, and whose other random bits are those of the feed. So
 * they ascend with sequences as long as their times do not descend, and a database can complete them by itself.
 */
export const EventId = {
  /**
   * All but the last ten hexadecimal digits.
   * @param milliseconds since 1970; at least those of the id before
   * @param feedId 32 hexadecimal digits with or without hyphens
   */
  prefix: (milliseconds: number, feedId: string): string => {
    const time = milliseconds.toString(16).padStart(12, '0');
    const feed = feedId.replaceAll('-', '').slice(-9);
    const variant = (8 | (Number.parseInt(feed.slice(3, 4), 16) & 3)).toString(16);
    return `${time.slice(0, 8)}-${time.slice(8)}-7${feed.slice(0, 3)}-${variant}${feed.slice(4, 7)}-${feed.slice(7)}`;
  },

  of: (prefix: string, sequence: number): EventId =>
    `${prefix}${sequence.toString(16).padStart(10, '0')}` as EventId,

  /** The sequence in an id. Of an id that is not one of an event it is any number. */
  sequence: (id: Id): number => Number.parseInt(id.slice(-10), 16),

  /** The time in an id, in milliseconds since 1970. */
  milliseconds: (id: Id): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16),
};
