import type { Housekeeping, Round } from '#application/background/background-jobs.ts';
import { alone, cellCounter, type Register } from './series.ts';

type Task = (signal?: AbortSignal) => Promise<Round>;

/** Counts what housekeeping gets done, and says whether this process is the one that does it. */
export const measuredHousekeeping = (register: Register) => {
  const rounds = cellCounter(register, {
    name: 'portico_housekeeping_rounds_total',
    help: 'How often this process went through a task.',
  });
  const done = cellCounter(register, {
    name: 'portico_housekeeping_done_total',
    help: 'Payments and refunds that were settled without their clients, and orders that were canceled.',
  });
  const obstacles = cellCounter(register, {
    name: 'portico_housekeeping_obstacles_total',
    help: 'What could not be done, and is tried again.',
  });
  const settled = done({ task: 'settle_unfinished' });
  const canceled = done({ task: 'expire_orders' });
  let isOnDuty = false;
  register({
    name: 'portico_housekeeping_on_duty',
    help: '1 where housekeeping is done for all processes that share the database.',
    type: 'gauge',
    read: () => alone(isOnDuty ? 1 : 0),
  });

  const measure = (task: string, act: Task, dealtWith = { count: 0 }): Task => {
    const counts = { rounds: rounds({ task }), done: dealtWith, obstacles: obstacles({ task }) };
    return async (signal) => {
      counts.rounds.count += 1;
      try {
        const round = await act(signal);
        counts.done.count += round.done;
        counts.obstacles.count += round.obstacles.length;
        return round;
      } catch (error) {
        counts.obstacles.count += 1;
        throw error;
      }
    };
  };

  return ({ takeDuty, settleUnfinished, expireOrders, forgetKeys }: Housekeeping): Housekeeping => ({
    takeDuty: async (holder, milliseconds) => {
      try {
        const isTaken = await takeDuty(holder, milliseconds);
        isOnDuty = isTaken && milliseconds > 0;
        return isTaken;
      } catch (error) {
        // Whoever cannot ask does nothing.
        isOnDuty = false;
        throw error;
      }
    },
    settleUnfinished: measure('settle_unfinished', settleUnfinished, settled),
    expireOrders: measure('expire_orders', expireOrders, canceled),
    forgetKeys: measure('forget_keys', forgetKeys),
  });
};
