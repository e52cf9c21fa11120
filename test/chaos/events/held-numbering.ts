import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '#test/support/random.ts';
import type { ObservedDatabase } from '../../lab/databases.ts';
import type { Counts } from '../counts.ts';

interface Options {
  readonly database: Pick<ObservedDatabase, 'url' | 'execute'>;
  readonly random: Random;
  readonly counts: Pick<Counts, 'heldNumberings'>;
}

/**
 * Holds the row that events are numbered under, again and again, as a process does that stops while it numbers. Meanwhile events wait
 * without a number, so kills leave many that another process has to number. Of SQLite, where the writer numbers, it does nothing.
 */
export const holdNumbering = async (
  { database, random, counts }: Options,
  isOver: () => boolean,
): Promise<void> => {
  if (!database.url.startsWith('postgres')) return;
  for (;;) {
    await pause(random.between(200, 3_000));
    if (isOver()) return;
    const seconds = random.between(500, 4_000) / 1_000;
    const hold = `do $$ begin
      perform 1 from event_feed where name = 'events' for update;
      perform pg_sleep(${seconds});
    end $$`;
    await database.execute(hold).then(() => {
      counts.heldNumberings += 1;
    }, ignoreCut);
  }
};

/** Connections to the database are cut at random, this one too. */
const ignoreCut = (error: unknown): void => {
  if (!(error instanceof Error && /terminat/.test(error.message))) throw error;
};
