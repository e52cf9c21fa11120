import type { Resource } from '#domain/resource.ts';
import type { View } from '../answers.ts';

/** What every resource shows, around what only it does. */
export const resourceView =
  <T extends Resource>(own: View<T>): View<T> =>
  (resource) => ({
    id: resource.id,
    ...own(resource),
    version: resource.version,
    created_at: resource.createdAt,
    updated_at: resource.updatedAt,
  });
