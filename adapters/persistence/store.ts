import type { UnitOfWork } from '#application/ports/unit-of-work.ts';

/** An open store, its tables up to date. */
export interface Store {
  readonly unitOfWork: UnitOfWork;
  /** Whether it was made by this opening. */
  readonly isNew: boolean;
  /** The store's own time, in milliseconds since 1970. */
  now(): Promise<number>;
  /** @throws ApplicationError 'unavailable' when it cannot be reached */
  ping(): Promise<void>;
  close(): Promise<void>;
}
