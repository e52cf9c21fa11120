import type { Cause, CauseKind } from '#domain/event.ts';
import type { Clock } from '../ports/system.ts';
import type { RequestContext, StoreUnitOfWork, UnitOfWork } from '../ports/unit-of-work.ts';
import { ChangeLog } from './change-log.ts';
import { newEvents, type ShowFields } from './new-events.ts';
import { recordedRepositories } from './recorded-repositories.ts';

export interface RecordingOptions {
  readonly clock: Clock;
  readonly showFields: ShowFields;
  /** The cause of work that no request waits for. */
  readonly causeKind: Exclude<CauseKind, 'request'>;
  /** Called when events were committed, with how many. */
  readonly onEvents?: ((count: number) => void) | undefined;
}

/**
 * The unit of work of a store, which also appends the event of each change before it commits. Every process uses it in place of the
 * store's own: so no use case writes events, and none can forget one.
 */
export const recordedUnitOfWork = (store: StoreUnitOfWork, options: RecordingOptions): UnitOfWork => {
  const { clock, showFields, causeKind, onEvents } = options;
  const now = () => clock.now();
  return {
    run: async (work, context) => {
      const cause = causeOf(context, causeKind);
      let count = 0;
      const result = await store.run(async (repositories) => {
        const log = new ChangeLog();
        const done = await work(recordedRepositories(repositories, log));
        const events = await newEvents(log, repositories, { cause, now, showFields });
        count = events.length;
        if (count > 0) await repositories.events.append(events);
        return done;
      }, context);
      if (count > 0) onEvents?.(count);
      return result;
    },
    read: (reading, context) => store.read(reading, context),
  };
};

const causeOf = (context: RequestContext | undefined, kind: CauseKind): Cause => ({
  kind: context?.requestId === undefined ? kind : 'request',
  requestId: context?.requestId ?? null,
  userId: context?.actor ?? null,
  idempotencyKey: context?.idempotencyKey ?? null,
});
