import { setTimeout as pause } from 'node:timers/promises';
import type { ObservedDatabase } from '../../lab/databases.ts';
import { erasureTimeMs } from '../conditions.ts';

/** Waits until the servers have completed all erasures, or the time for it is over. */
export const waitForErasures = async (database: Pick<ObservedDatabase, 'query'>): Promise<void> => {
  const deadline = performance.now() + erasureTimeMs;
  const pending = () => database.query("select id from erasures where status = 'pending' limit 1");
  while ((await pending()).length > 0 && performance.now() < deadline) await pause(500);
};
