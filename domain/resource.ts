import type { Id } from './id.ts';
import type { Instant } from './instant.ts';

/** What every resource carries. */
export interface Resource<I extends Id = Id> {
  readonly id: I;
  /** From 1, one more with each change. */
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** The beginning of a new resource. */
export const born = <I extends Id>(id: I, at: Instant): Resource<I> => ({
  id,
  version: 1,
  createdAt: at,
  updatedAt: at,
});

/** The same resource after a change. Time never runs backwards in it, whatever the clock does. */
export const changed = <T extends Resource>(resource: T, changes: NoInfer<Partial<T>>, at: Instant): T => ({
  ...resource,
  ...changes,
  version: resource.version + 1,
  updatedAt: at > resource.updatedAt ? at : resource.updatedAt,
});
