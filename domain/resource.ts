import type { Id } from './id.ts';
import type { Instant } from './instant.ts';

/** The fields that every resource has. */
export interface Resource<I extends Id = Id> {
  readonly id: I;
  /** Optimistic concurrency: starts at 1 and increases by 1 with each change. */
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** The common fields of a new resource. */
export const newResource = <I extends Id>(id: I, at: Instant): Resource<I> => ({
  id,
  version: 1,
  createdAt: at,
  updatedAt: at,
});

/** The next version of a resource. `updatedAt` never decreases, even when the clock is set back. */
export const updated = <T extends Resource>(resource: T, changes: NoInfer<Partial<T>>, at: Instant): T => ({
  ...resource,
  ...changes,
  version: resource.version + 1,
  updatedAt: at > resource.updatedAt ? at : resource.updatedAt,
});
