import { hash } from 'node:crypto';
import { Id } from '#domain/id.ts';

const idBytes = 16;
const checksumBytes = 8;
/** Both together are 32 characters of base64url: no bit is left over, so every flipped bit shows. */
const length = 32;
const form = /^[A-Za-z0-9_-]{32}$/;

/**
 * A place in a list: the id before it, and a checksum over id, list and filters. The checksum is no secret, since a
 * cursor opens nothing that its bearer may not read anyway; it keeps one list's cursor out of another.
 */
export const Cursor = {
  length,
  form,

  /** @param list what the cursor is bound to: the path and the filters, always written the same way */
  write: (list: string, after: Id): string => {
    const id = Buffer.from(Id.toHex(after), 'hex');
    return Buffer.concat([id, checksum(list, id)]).toString('base64url');
  },

  /** Undefined when the cursor is damaged, or of another list. */
  read: (list: string, cursor: string): Id<never> | undefined => {
    if (!form.test(cursor)) return undefined;
    const bytes = Buffer.from(cursor, 'base64url');
    const id = bytes.subarray(0, idBytes);
    if (!bytes.subarray(idBytes).equals(checksum(list, id))) return undefined;
    return Id.fromHex(id.toString('hex'));
  },
};

const checksum = (list: string, id: Uint8Array): Buffer =>
  hash('sha256', Buffer.concat([id, Buffer.from(list)]), 'buffer').subarray(0, checksumBytes);
