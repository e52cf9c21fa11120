import type { Instant } from './instant.ts';
import { type Id, newResource, type Resource, updated } from './resource.ts';
import type { UserId } from './user.ts';

export type ErasureId = Id<'erasure'>;

export const erasureStatuses = ['pending', 'completed'] as const;
export type ErasureStatus = (typeof erasureStatuses)[number];

/** The erasure of a user's personal data. The user is locked when it begins, and their rows follow in batches. */
export interface Erasure extends Resource<ErasureId> {
  readonly userId: UserId;
  readonly status: ErasureStatus;
}

export const Erasure = {
  begin: (id: ErasureId, userId: UserId, at: Instant): Erasure => ({
    ...newResource(id, at),
    userId,
    status: 'pending',
  }),

  complete: (erasure: Erasure, at: Instant): Erasure => updated(erasure, { status: 'completed' }, at),
};
