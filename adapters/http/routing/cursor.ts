import { hash } from 'node:crypto';
import { Id } from '#domain/resource.ts';

/** In hexadecimal digits. */
const idDigits = 32;
const checksumDigits = 16;
/** The characters of id and checksum in base64url. They fill it without spare bits, so every flipped bit is detected. */
const cursorLength = 32;
const cursorPattern = /^[A-Za-z0-9_-]{32}$/;

/**
 * A cursor for keyset pagination: the last id of a page, with a checksum over that id, the list and its filters. The
 * checksum only detects a cursor of another list. It needs no secret, because a cursor grants no access.
 */
export const Cursor = {
  length: cursorLength,
  pattern: cursorPattern,

  /** @param list the path and the canonical filter of the list, to which the cursor is bound */
  encode: (list: string, after: Id): string => {
    const id = Id.toHex(after);
    return Buffer.from(id + checksum(list, id), 'hex').toString('base64url');
  },

  /** Returns undefined when the cursor is damaged or belongs to another list. */
  decode: (list: string, cursor: string): Id<never> | undefined => {
    if (!cursorPattern.test(cursor)) return undefined;
    const digits = Buffer.from(cursor, 'base64url').toString('hex');
    const id = digits.slice(0, idDigits);
    return digits.slice(idDigits) === checksum(list, id) ? Id.fromHex(id) : undefined;
  },
};

const checksum = (list: string, id: string): string =>
  hash('sha256', `${id} ${list}`).slice(0, checksumDigits);
