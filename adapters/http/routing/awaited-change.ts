import type { Resource } from '#domain/resource.ts';
import type { Awaited } from '../request/awaited.ts';
import { isNotModified, type ReadConditions } from './conditional-request.ts';

/**
 * A read of one resource waits while it is unfinished. With `If-None-Match` it waits while the resource has a version that this names.
 * @param isUnfinished whether the status is one that changes by itself
 */
export const awaitedChange =
  <T extends Resource>(isUnfinished: (resource: T) => boolean) =>
  (
    resource: T,
    { readConditions }: { readonly readConditions: ReadConditions | undefined },
  ): Awaited | undefined => {
    const isAwaited =
      readConditions?.ifNoneMatch === undefined
        ? isUnfinished(resource)
        : isNotModified(readConditions, resource.version);
    return isAwaited ? { concerns: ({ subject }) => subject.id === resource.id } : undefined;
  };
