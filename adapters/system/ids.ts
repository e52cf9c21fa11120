import { uuidv7 } from 'uuidv7';
import type { NewId } from '#application/ports/ids.ts';
import type { Id } from '#domain/id.ts';

/** Node's own `randomUUIDv7` does not promise an order within a millisecond; this package does. */
export const newId: NewId = <I extends Id>() => uuidv7() as I;
