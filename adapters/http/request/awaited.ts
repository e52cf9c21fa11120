import type { FeedPosition } from '#application/use-cases/events.ts';
import type { Event } from '#domain/event.ts';

/** What a request waits for. */
export interface Awaited {
  /** Whether this event may end the wait. */
  readonly concerns: (event: Event) => boolean;
  /** Where the page of the feed begins once the wait has ended; by default at the cursor of the request. */
  readonly from?: FeedPosition;
  /** What may change without an event. */
  readonly unannounced?: {
    /** How long to wait until the first check, in milliseconds. Each later pause is longer. */
    readonly firstPauseMs: number;
    readonly maxPauseMs: number;
    /** @param deadline of the check, on the scale of `performance.now()` */
    readonly hasChanged: (deadline: number) => Promise<boolean>;
  };
}
