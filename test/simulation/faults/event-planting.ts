import type { Ports } from '#application/application.ts';
import type { StoreUnitOfWork } from '#application/ports/unit-of-work.ts';
import type { NewEvent } from '#domain/event.ts';
import { replacing } from '../replacing.ts';

/** Events are appended in a unit of work of their own, behind the commit. */
export const appendingLater = (unitOfWork: StoreUnitOfWork): StoreUnitOfWork => ({
  run: async (work) => {
    let later: readonly NewEvent[] = [];
    const result = await unitOfWork.run((to) => {
      later = [];
      const append = async (events: readonly NewEvent[]): Promise<void> => {
        later = [...later, ...events];
      };
      return work({ ...to, events: replacing(to.events, { append }) });
    });
    if (later.length > 0) await unitOfWork.run(({ events }) => events.append(later));
    return result;
  },
  read: (reading) => unitOfWork.read(reading),
});

/** Changes what a unit of work appends. */
export const appending = (
  ports: Ports,
  change: (events: readonly NewEvent[]) => readonly NewEvent[],
): Ports => ({
  ...ports,
  unitOfWork: {
    run: (work) =>
      ports.unitOfWork.run((to) =>
        work({
          ...to,
          events: replacing(to.events, { append: (events) => to.events.append(change(events)) }),
        }),
      ),
    read: (reading) => ports.unitOfWork.read(reading),
  },
});

/** A replay appends the last event once more. */
export const tellingReplays = (ports: Ports): Ports => {
  let last: readonly NewEvent[] = [];
  return {
    ...ports,
    unitOfWork: {
      run: (work) =>
        ports.unitOfWork.run(async (to) => {
          let isReplay = false;
          const events = replacing(to.events, {
            append: (appended) => {
              last = appended.slice(-1);
              return to.events.append(appended);
            },
          });
          const idempotencyKeys = replacing(to.idempotencyKeys, {
            lock: async (userId, key) => {
              const record = await to.idempotencyKeys.lock(userId, key);
              isReplay = record !== undefined && record.response !== null;
              return record;
            },
          });
          const result = await work({ ...to, events, idempotencyKeys });
          if (isReplay && last.length > 0) await to.events.append(last);
          return result;
        }),
      read: (reading) => ports.unitOfWork.read(reading),
    },
  };
};
