import { hash } from 'node:crypto';
import { Id } from '#domain/id.ts';

/** In hexadecimal digits. */
const idDigits = 32;
const checksumDigits = 16;
/** Both together are 32 characters of base64url: no bit is left over, so every flipped bit shows. */
const length = 32;
const pattern = /^[A-Za-z0-9_-]{32}$/;

/**
 * A place in a list: the id before it, and a checksum over id, list and filters. The checksum is no secret, since a
 * cursor opens nothing that its bearer may not read anyway; it keeps one list's cursor out of another.
 */
export const Cursor = {
  length,
  pattern,

  /** @param list what the cursor is bound to: the path and the filters, always written the same way */
  encode: (list: string, after: Id): string => {
    const id = Id.toHex(after);
    return Buffer.from(id + checksum(list, id), 'hex').toString('base64url');
  },

  /** Undefined when the cursor is damaged, or of another list. */
  decode: (list: string, cursor: string): Id<never> | undefined => {
    if (!pattern.test(cursor)) return undefined;
    const digits = Buffer.from(cursor, 'base64url').toString('hex');
    const id = digits.slice(0, idDigits);
    return digits.slice(idDigits) === checksum(list, id) ? Id.fromHex(id) : undefined;
  },
};

const checksum = (list: string, id: string): string =>
  hash('sha256', `${id} ${list}`).slice(0, checksumDigits);
