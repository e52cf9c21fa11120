import type { Housekeeping } from '#application/housekeeping.ts';

/** How often there is a round, in milliseconds, whatever the times that it serves. */
const bounds = { least: 250, most: 5_000 };

interface Options {
  readonly reconcileAfterMilliseconds: number;
  readonly report: (error: unknown) => void;
}

/** Does the application's housekeeping again and again, one round after the other. */
export const startHousekeeper = (
  { settleUnfinished, expireOrders, forgetKeys }: Housekeeping,
  { reconcileAfterMilliseconds, report }: Options,
): { stop(): Promise<void> } => {
  const pause = Math.min(bounds.most, Math.max(bounds.least, reconcileAfterMilliseconds / 2));
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;

  const round = async (): Promise<void> => {
    for (const task of [settleUnfinished, expireOrders, forgetKeys]) {
      const obstacles = await task(stopping.signal).catch((error: unknown) => [error]);
      obstacles.forEach(report);
    }
    if (!stopping.signal.aborted) timer = setTimeout(begin, pause).unref();
  };

  let current: Promise<void> = Promise.resolve();
  const begin = (): void => {
    current = round();
  };
  begin();

  return {
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await current;
    },
  };
};
