import type { Instant } from '../instant.ts';
import { newResource, type Resource, updated } from '../resource.ts';
import type { WebhookEndpointId } from './endpoint.ts';

/**
 * How far the events of an endpoint are. It has the id of its endpoint and a version of its own, because it changes with every batch
 * of deliveries: the process that saves it has seen its last position.
 */
export interface EndpointPosition extends Resource<WebhookEndpointId> {
  /** The sequence up to which matching events were enqueued. */
  readonly position: number;
  /** The highest position ever. Events up to it are delivered again after the position was set back. */
  readonly furthest: number;
  /** The attempts that have failed since the last success. */
  readonly failures: number;
  /** When the first of them failed; null when the last attempt succeeded. */
  readonly failingSince: Instant | null;
}

export const EndpointPosition = {
  /** @param position the end of the feed */
  begin: (id: WebhookEndpointId, position: number, at: Instant): EndpointPosition => ({
    ...newResource(id, at),
    ...{ position, furthest: position, failures: 0, failingSince: null },
  }),

  /** Events up to a position were enqueued, or staff have set it: then everything after it is delivered, once more or never. */
  moveTo: (progress: EndpointPosition, position: number, at: Instant): EndpointPosition =>
    updated(progress, { position, furthest: Math.max(progress.furthest, position) }, at),

  /** Attempts have ended, in this order. */
  note: (
    progress: EndpointPosition,
    attempts: readonly { readonly isSuccess: boolean; readonly at: Instant }[],
    now: Instant,
  ): EndpointPosition => {
    let { failures, failingSince } = progress;
    for (const { isSuccess, at } of attempts) {
      failures = isSuccess ? 0 : failures + 1;
      failingSince = isSuccess ? null : (failingSince ?? at);
    }
    return updated(progress, { failures, failingSince }, now);
  },

  /** The endpoint is enabled again: what failed before no longer counts. */
  clear: (progress: EndpointPosition, at: Instant): EndpointPosition =>
    updated(progress, { failures: 0, failingSince: null }, at),
};
