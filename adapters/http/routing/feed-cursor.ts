import { hash } from 'node:crypto';
import type { FeedPosition } from '#application/use-cases/events.ts';

/** In hexadecimal digits. Together they have the length of the other cursors. */
const sequenceDigits = 12;
const feedDigits = 12;
const checksumDigits = 24;
const placeDigits = sequenceDigits + feedDigits;
const cursorPattern = /^[A-Za-z0-9_-]{32}$/;

/**
 * A cursor of the feed: the sequence of the last event that was read, and the feed that it is of. As with the cursors of lists, its
 * checksum needs no secret, because a cursor grants no access.
 */
export const FeedCursor = {
  /** @param list the path and the canonical filter of the list, to which the cursor is bound */
  encode: (list: string, feedId: string, after: number): string => {
    const place = after.toString(16).padStart(sequenceDigits, '0') + digitsOf(feedId);
    return Buffer.from(place + checksum(list, place), 'hex').toString('base64url');
  },

  /** Returns undefined when the cursor is damaged or belongs to another list. */
  decode: (list: string, cursor: string): FeedPosition | undefined => {
    if (!cursorPattern.test(cursor)) return undefined;
    const digits = Buffer.from(cursor, 'base64url').toString('hex');
    const place = digits.slice(0, placeDigits);
    if (digits.slice(placeDigits) !== checksum(list, place)) return undefined;
    const feed = place.slice(sequenceDigits);
    return {
      after: Number.parseInt(place.slice(0, sequenceDigits), 16),
      isOf: (feedId) => digitsOf(feedId) === feed,
    };
  },
};

const digitsOf = (feedId: string): string => hash('sha256', feedId).slice(0, feedDigits);

/** The word makes it another one than that of any other list. */
const checksum = (list: string, place: string): string =>
  hash('sha256', `feed ${place} ${list}`).slice(0, checksumDigits);
