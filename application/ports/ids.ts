import type { Id } from '#domain/id.ts';

/** A new UUIDv7. No two are ever the same, and of two made in one process the later sorts after the earlier. */
export type NewId = <I extends Id>() => I;
